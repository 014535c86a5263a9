import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Runs the tests of a class, as JUnit would. */
public final class RunTests {
  private RunTests() {}

  public static void main(String[] args) throws Exception {
    Class<?> tests = Class.forName(args[0]);
    for (Method method : tests.getDeclaredMethods()) {
      if (!method.isAnnotationPresent(Test.class)) continue;
      Constructor<?> constructor = tests.getDeclaredConstructor();
      constructor.setAccessible(true);
      method.setAccessible(true);
      method.invoke(constructor.newInstance());
      System.out.println("passed " + method.getName());
    }
  }
}
