package org.junit.jupiter.api;

import java.util.Objects;

public final class Assertions {
  private Assertions() {}

  public static void assertEquals(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", but got " + actual);
  }

  public static void assertFalse(boolean condition) {
    if (condition) throw new AssertionError("expected false");
  }

  public static void assertNotNull(Object actual, String message) {
    if (actual == null) throw new AssertionError(message);
  }
}
