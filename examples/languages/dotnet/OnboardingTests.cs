using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Xunit;

/// <summary>From the first call to a verified webhook: npx card-sandbox exec -- dotnet test</summary>
public class OnboardingTests
{
    private const string Secret = "whsec_of_more_than_16_characters";

    // Step 1: `exec` starts a sandbox on a free port, and sets these variables.
    private static readonly string Api = Variable("SERVICE_BASE_URL")!;
    private static readonly string ApiKey = Variable("SERVICE_API_KEY")!;
    private static readonly string Control =
        $"{Variable("CARD_SANDBOX_URL")}/_sandbox/worlds/{Variable("CARD_SANDBOX_WORLD") ?? "main"}";
    private static readonly string? ControlToken = Variable("CARD_SANDBOX_CONTROL_TOKEN");
    private static readonly HttpClient Client = new();

    [Fact]
    public async Task FromTheFirstCallToAVerifiedWebhook()
    {
        // Step 2: the first call.
        var balance = await CallApi(HttpMethod.Get, "/partner/balance");
        Assert.Equal("EUR", (string?)balance["currency"]);

        // Step 3: KYC. The provider decides after two seconds of sandbox time, which the clock skips.
        var user = Guid.NewGuid().ToString();
        var cardholder = await CallApi(HttpMethod.Post, "/partner/cardholders", new
        {
            externalUserId = user,
            email = $"{user}@example.com",
            phoneNumber = "+4915123456789",
            kycSource = "idp1",
            idp1ShareToken = $"idp1_test_approve_{user}",
        });
        var path = $"/partner/cardholders/{cardholder["id"]}";
        var programs = await CallApi(HttpMethod.Get, "/partner/card-programs");
        var cardProgramId = (string?)programs["data"]![0]!["id"];
        await CallApi(HttpMethod.Post, $"{path}/kyc", new { cardProgramId });
        await CallControl(HttpMethod.Post, "/clock/advance", new { duration = "2s" });
        Assert.Equal("approved", (string?)(await CallApi(HttpMethod.Get, path))["kycStatus"]);

        // Step 5 begins: a receiver, to which the sandbox forwards the webhooks for the configured URL.
        using var receiver = new HttpListener();
        var address = $"http://127.0.0.1:{FreePort()}/";
        receiver.Prefixes.Add(address);
        receiver.Start();
        var received = ReceiveOne(receiver);
        await CallControl(HttpMethod.Put, "/forwarding", new { url = address });
        await CallApi(HttpMethod.Patch, "/partner/webhooks/config", new
        {
            webhookUrl = "https://app.example.com/webhooks",
            webhookSecret = Secret,
            subscribedEvents = new[] { "card.issued" },
        });

        // Step 4: a card.
        var cardholderId = (string?)cardholder["id"];
        var card = await CallApi(HttpMethod.Post, "/partner/cards", new { cardholderId, cardProgramId });
        var active = await CallApi(HttpMethod.Post, $"/partner/cards/{card["id"]}/activate");
        Assert.Equal("active", (string?)active["status"]);

        // Step 5 ends: the webhook has arrived, and its signature is right.
        var webhook = await received.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.Equal((string?)card["id"], (string?)webhook["data"]!["id"]);
        Assert.False(IsGenuine([], "t=1,v1=0", Secret));
        await CallControl(HttpMethod.Delete, "/forwarding");
    }

    private static Task<JsonNode> CallApi(HttpMethod method, string path, object? body = null) =>
        Send(method, Api + path, "x-service-api-key", ApiKey, body);

    /// <summary>Calls the control plane, which simulates the other parties. It needs a token beyond loopback.</summary>
    private static Task<JsonNode> CallControl(HttpMethod method, string path, object? body = null) =>
        Send(method, Control + path, "authorization", ControlToken is null ? null : $"Bearer {ControlToken}", body);

    private static async Task<JsonNode> Send(
        HttpMethod method, string url, string header, string? value, object? body)
    {
        using var request = new HttpRequestMessage(method, url);
        if (value is not null) request.Headers.Add(header, value);
        if (body is not null) request.Content = JsonContent.Create(body);
        using var response = await Client.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        Assert.True(response.IsSuccessStatusCode, $"{method} {url}: {(int)response.StatusCode} {text}");
        return text == "" ? new JsonObject() : JsonNode.Parse(text)!;
    }

    /// <summary>Receives webhooks until a genuine card.issued, and returns it. The signature covers the raw body.</summary>
    private static async Task<JsonNode> ReceiveOne(HttpListener listener)
    {
        while (true)
        {
            var context = await listener.GetContextAsync();
            using var body = new MemoryStream();
            await context.Request.InputStream.CopyToAsync(body);
            var isGenuine = IsGenuine(body.ToArray(), context.Request.Headers["x-service-signature"], Secret);
            // Kept before the response: what was acknowledged is not sent again.
            var webhook = isGenuine ? JsonNode.Parse(body.ToArray()) : null;
            context.Response.StatusCode = isGenuine ? 204 : 401;
            context.Response.Close();
            // Other types are ignored: a service adds types.
            if (webhook is not null && (string?)webhook["eventType"] == "card.issued") return webhook;
        }
    }

    /// <summary>Whether a webhook was signed with the secret, at most five minutes ago.</summary>
    private static bool IsGenuine(byte[] body, string? signature, string secret)
    {
        var parts = (signature ?? "").Split(',').Select(part => part.Split('=', 2)).ToLookup(part => part[0], part => part[^1]);
        var timestamp = parts["t"].FirstOrDefault("");
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        byte[] signed = [.. Encoding.UTF8.GetBytes($"{timestamp}."), .. body];
        var expected = Convert.ToHexString(HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), signed)).ToLowerInvariant();
        return CryptographicOperations.FixedTimeEquals(
            Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(parts["v1"].FirstOrDefault("")));
    }

    private static int FreePort()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        return port;
    }

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name);
}
