package org.testcontainers.containers.wait.strategy;

public final class Wait {
  private Wait() {}

  public static HttpWaitStrategy forHttp(String path) {
    throw new UnsupportedOperationException();
  }
}
