package org.testcontainers.containers.wait.strategy;

public class HttpWaitStrategy implements WaitStrategy {}
