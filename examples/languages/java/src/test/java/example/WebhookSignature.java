package example;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of webhooks: HMAC-SHA256 of the timestamp, a dot and the raw body. */
final class WebhookSignature {
  private static final Pattern HEADER = Pattern.compile("t=(\\d{1,12}),v1=([0-9a-f]{64})");
  private static final long TOLERANCE_SECONDS = 300;

  private WebhookSignature() {}

  /** Whether a webhook was signed with the secret, at most five minutes ago. */
  static boolean isGenuine(byte[] body, String header, String secret) throws GeneralSecurityException {
    Matcher matcher = HEADER.matcher(header == null ? "" : header);
    if (!matcher.matches()) return false;
    long age = Instant.now().getEpochSecond() - Long.parseLong(matcher.group(1));
    if (Math.abs(age) > TOLERANCE_SECONDS) return false;
    ByteArrayOutputStream signed = new ByteArrayOutputStream();
    signed.writeBytes((matcher.group(1) + ".").getBytes(StandardCharsets.UTF_8));
    signed.writeBytes(body);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    // Compares in constant time.
    return MessageDigest.isEqual(mac.doFinal(signed.toByteArray()), HexFormat.of().parseHex(matcher.group(2)));
  }
}
