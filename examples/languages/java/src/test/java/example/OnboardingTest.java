package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From the first call to a verified webhook: `npx card-sandbox exec -- mvn test`, or `mvn test` with Docker. */
class OnboardingTest {
  private static final String SECRET = "whsec_of_more_than_16_characters";

  @Test
  void fromTheFirstCallToAVerifiedWebhook() throws Exception {
    // Step 1: the sandbox.
    try (Sandbox sandbox = Sandbox.start()) {
      // Step 2: the first call.
      assertEquals("EUR", Sandbox.text(sandbox.api("GET", "/partner/balance", null), "currency"));

      // Step 3: KYC. The provider decides after two seconds of sandbox time, which the clock skips.
      String user = UUID.randomUUID().toString();
      String created = sandbox.api("POST", "/partner/cardholders", """
          {"externalUserId": "%1$s", "email": "%1$s@example.com", "phoneNumber": "+4915123456789",
           "kycSource": "idp1", "idp1ShareToken": "idp1_test_approve_%1$s"}""".formatted(user));
      String cardholder = Sandbox.text(created, "id");
      String program = Sandbox.text(sandbox.api("GET", "/partner/card-programs", null), "id");
      sandbox.api("POST", "/partner/cardholders/" + cardholder + "/kyc",
          "{\"cardProgramId\": \"" + program + "\"}");
      sandbox.control("POST", "/clock/advance", "{\"duration\": \"2s\"}");
      String decided = sandbox.api("GET", "/partner/cardholders/" + cardholder, null);
      assertEquals("approved", Sandbox.text(decided, "kycStatus"));

      // Step 5 begins: a receiver, to which the sandbox forwards the webhooks for the configured URL.
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      HttpServer receiver = receiver(events);
      try {
        sandbox.forwardTo(receiver.getAddress().getPort());
        sandbox.api("PATCH", "/partner/webhooks/config", """
            {"webhookUrl": "https://app.example.com/webhooks", "webhookSecret": "%s",
             "subscribedEvents": ["card.issued"]}""".formatted(SECRET));

        // Step 4: a card.
        String issued = sandbox.api("POST", "/partner/cards",
            "{\"cardholderId\": \"" + cardholder + "\", \"cardProgramId\": \"" + program + "\"}");
        String card = Sandbox.text(issued, "id");
        String active = sandbox.api("POST", "/partner/cards/" + card + "/activate", null);
        assertEquals("active", Sandbox.text(active, "status"));

        // Step 5 ends: the webhook has arrived, and its signature is right.
        String event;
        do {
          event = events.poll(10, TimeUnit.SECONDS);
          assertNotNull(event, "no webhook arrived");
          // Other types are ignored: a service adds types.
        } while (!"card.issued".equals(Sandbox.text(event, "eventType")));
        assertEquals(card, Sandbox.text(event.substring(event.indexOf("\"data\"")), "id"));
        assertFalse(WebhookSignature.isGenuine(new byte[0], "t=1,v1=0", SECRET));
        // The receiver stops once it has responded.
        sandbox.control("POST", "/deliveries/settle", "{}");
      } finally {
        sandbox.control("DELETE", "/forwarding", null);
        receiver.stop(0);
      }
    }
  }

  /** Receives webhooks on a free port. The signature is that of the raw body, before it is parsed. */
  private static HttpServer receiver(BlockingQueue<String> events) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String signature = exchange.getRequestHeaders().getFirst("x-service-signature");
      boolean isGenuine;
      try {
        isGenuine = WebhookSignature.isGenuine(body, signature, SECRET);
      } catch (GeneralSecurityException error) {
        throw new IllegalStateException(error);
      }
      if (isGenuine) events.add(new String(body, StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(isGenuine ? 204 : 401, -1);
      exchange.close();
    });
    server.start();
    return server;
  }
}
