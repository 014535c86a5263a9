package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** A sandbox: the one of `npx card-sandbox exec`, or a container of the image that docs/containers.md builds. */
final class Sandbox implements AutoCloseable {
  private static final int PORT = 4242;
  private final HttpClient client = HttpClient.newHttpClient();
  private final GenericContainer<?> container;
  private final String api;
  private final String apiKey;
  private final String control;
  private final String controlToken;

  private Sandbox(GenericContainer<?> container, String url, String apiKey, String world, String controlToken) {
    this.container = container;
    this.api = url + "/v1";
    this.apiKey = apiKey;
    this.control = url + "/_sandbox/worlds/" + world;
    this.controlToken = controlToken;
  }

  /** Connects to the sandbox of `exec` if there is one, and starts a container otherwise. */
  static Sandbox start() {
    String url = System.getenv("CARD_SANDBOX_URL");
    if (url != null) {
      String world = Optional.ofNullable(System.getenv("CARD_SANDBOX_WORLD")).orElse("main");
      String token = System.getenv("CARD_SANDBOX_CONTROL_TOKEN");
      return new Sandbox(null, url, System.getenv("SERVICE_API_KEY"), world, token);
    }
    String token = UUID.randomUUID().toString();
    GenericContainer<?> container = new GenericContainer<>("card-sandbox")
        .withCommand("start", "--host", "0.0.0.0", "--fixtures", "starter")
        .withEnv("CARD_SANDBOX_CONTROL_TOKEN", token)
        .withExposedPorts(PORT)
        .waitingFor(Wait.forHttp("/_sandbox/health"));
    container.start();
    String address = "http://" + container.getHost() + ":" + container.getMappedPort(PORT);
    return new Sandbox(container, address, "sk_test_acme_0123456789abcdef", "main", token);
  }

  /** Calls the API. Returns the body of the response, and throws for an error status. */
  String api(String method, String path, String body) throws IOException, InterruptedException {
    return send(method, api + path, "x-service-api-key", apiKey, body);
  }

  /** Calls the control plane, which simulates the other parties. It needs a token beyond loopback. */
  String control(String method, String path, String body) throws IOException, InterruptedException {
    String bearer = controlToken == null ? null : "Bearer " + controlToken;
    return send(method, control + path, "authorization", bearer, body);
  }

  /** Sends all webhooks to a port of this machine, which a container reaches under another name. */
  void forwardTo(int port) throws IOException, InterruptedException {
    String host = "127.0.0.1";
    if (container != null) {
      Testcontainers.exposeHostPorts(port);
      host = "host.testcontainers.internal";
    }
    control("PUT", "/forwarding", "{\"url\": \"http://" + host + ":" + port + "\"}");
  }

  private String send(String method, String url, String header, String value, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (value != null) request.header(header, value);
    if (body == null) request.method(method, HttpRequest.BodyPublishers.noBody());
    else request.header("content-type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() < 300) return response.body();
    throw new IOException(method + " " + url + ": " + response.statusCode() + " " + response.body());
  }

  /** Returns the first text with this name in a JSON text. A project of yours has a JSON library for it. */
  static String text(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    if (!matcher.find()) throw new IllegalArgumentException("no " + name + " in " + json);
    return matcher.group(1);
  }

  @Override
  public void close() {
    if (container != null) container.stop();
  }
}
