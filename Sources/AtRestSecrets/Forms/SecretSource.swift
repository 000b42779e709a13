/// The public document from which the form of a secret is known.
public struct SecretSource: Hashable, Sendable {
  /// The publisher, the document and its section.
  public let title: String
  /// The address of the document.
  public let address: String

  private init(_ title: String, _ address: String) {
    self.title = title
    self.address = address
  }
}

extension SecretSource {
  static let age = SecretSource(
    "C2SP, The age file encryption format, The X25519 recipient type",
    "https://github.com/C2SP/C2SP/blob/main/age.md")
  static let anthropic = SecretSource(
    "Anthropic, API overview, Authentication", "https://docs.anthropic.com/en/api/overview")
  static let aws = SecretSource(
    "AWS, IAM identifiers, Understanding unique ID prefixes",
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html")
  static let braintree = SecretSource(
    "Braintree, Tokenization keys",
    "https://developer.paypal.com/braintree/docs/guides/authorization/tokenization-key")
  static let digitalOcean = SecretSource(
    "DigitalOcean, API reference, Authentication",
    "https://docs.digitalocean.com/reference/api/digitalocean/")
  static let docker = SecretSource(
    "Docker, Personal access tokens", "https://docs.docker.com/security/access-tokens/")
  static let facebook = SecretSource(
    "Meta, Access tokens",
    "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/")
  static let gitHub = SecretSource(
    "GitHub, About authentication to GitHub, GitHub's token formats",
    "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github"
  )
  static let gitLab = SecretSource(
    "GitLab, Token overview, Token prefixes", "https://docs.gitlab.com/security/tokens/")
  static let google = SecretSource(
    "Google Cloud, Manage API keys", "https://cloud.google.com/docs/authentication/api-keys")
  static let googleOAuth = SecretSource(
    "Google, Using OAuth 2.0 to access Google APIs",
    "https://developers.google.com/identity/protocols/oauth2")
  static let huggingFace = SecretSource(
    "Hugging Face, User access tokens", "https://huggingface.co/docs/hub/security-tokens")
  static let mailgun = SecretSource(
    "Mailgun, API reference, Authentication",
    "https://documentation.mailgun.com/docs/mailgun/api-reference/")
  static let mapbox = SecretSource(
    "Mapbox, Access tokens", "https://docs.mapbox.com/help/glossary/access-token/")
  static let npm = SecretSource(
    "GitHub, Announcing npm's new access token format",
    "https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/")
  static let openAI = SecretSource(
    "OpenAI, API reference, Authentication", "https://platform.openai.com/docs/api-reference")
  static let postHog = SecretSource(
    "PostHog, API overview, Authentication", "https://posthog.com/docs/api")
  static let pypi = SecretSource(
    "PyPI, Help, How can I use API tokens", "https://pypi.org/help/#apitoken")
  static let revenueCat = SecretSource(
    "RevenueCat, API keys and authentication",
    "https://www.revenuecat.com/docs/projects/authentication")
  static let rubyGems = SecretSource(
    "RubyGems, API key scopes", "https://guides.rubygems.org/api-key-scopes/")
  static let sendGrid = SecretSource(
    "Twilio SendGrid, API keys",
    "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys")
  static let shopify = SecretSource(
    "Shopify, Access tokens for custom apps",
    "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens")
  static let slack = SecretSource("Slack, Tokens", "https://docs.slack.dev/authentication/tokens")
  static let slackWebhook = SecretSource(
    "Slack, Sending messages using incoming webhooks",
    "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks")
  static let square = SecretSource(
    "Square, Access tokens",
    "https://developer.squareup.com/docs/build-basics/access-tokens")
  static let stripe = SecretSource("Stripe, API keys", "https://docs.stripe.com/keys")
  static let stripeWebhook = SecretSource(
    "Stripe, Webhooks, Verify webhook signatures", "https://docs.stripe.com/webhooks")
  static let twilio = SecretSource(
    "Twilio, API keys", "https://www.twilio.com/docs/iam/api-keys")

  static let rfc7468 = SecretSource(
    "RFC 7468, Textual encodings of PKIX, PKCS and CMS structures",
    "https://www.rfc-editor.org/rfc/rfc7468")
  static let rfc7519 = SecretSource(
    "RFC 7519, JSON Web Token, section 3", "https://www.rfc-editor.org/rfc/rfc7519#section-3")
  static let rfc6750 = SecretSource(
    "RFC 6750, Bearer token usage, section 2.1",
    "https://www.rfc-editor.org/rfc/rfc6750#section-2.1")
}
