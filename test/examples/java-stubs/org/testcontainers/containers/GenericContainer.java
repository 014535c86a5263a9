package org.testcontainers.containers;

import org.testcontainers.containers.wait.strategy.WaitStrategy;

public class GenericContainer<SELF extends GenericContainer<SELF>> {
  public GenericContainer(String dockerImageName) {
    throw new UnsupportedOperationException();
  }

  public SELF withCommand(String... parts) {
    throw new UnsupportedOperationException();
  }

  public SELF withEnv(String key, String value) {
    throw new UnsupportedOperationException();
  }

  public SELF withExposedPorts(Integer... ports) {
    throw new UnsupportedOperationException();
  }

  public SELF waitingFor(WaitStrategy strategy) {
    throw new UnsupportedOperationException();
  }

  public void start() {
    throw new UnsupportedOperationException();
  }

  public void stop() {
    throw new UnsupportedOperationException();
  }

  public String getHost() {
    throw new UnsupportedOperationException();
  }

  public Integer getMappedPort(int originalPort) {
    throw new UnsupportedOperationException();
  }
}
