extension TokenForm {
  /// The forms of the tokens of services, one per line.
  ///
  /// A line has the name for messages, the beginnings, the characters after a beginning and their number as
  /// issued, the least number in a log, and the source.
  public static let all: [TokenForm] = [
    .init("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", .alphanumeric, 36...251, 20, .gitHub),
    .init("GitHub fine-grained token", "github_pat_", .word, 82...244, 20, .gitHub),
    .init("GitLab token", gitLab, .dotted, 20...300, 16, .gitLab),
    .init("Slack token", slack, .dotted, 20...255, 10, .slack),
    .init("Slack webhook", "hooks.slack.com/services/T", .path, 30...80, 30, .slackWebhook),
    .init("AWS access key", "AKIA", .capitals, 16...16, 16, .aws),
    .init("AWS temporary access key", "ASIA", .capitals, 16...16, 16, .aws),
    .init("Google API key", "AIza", .url, 35...35, 30, .google, use: .restricted),
    .init("Google OAuth token", "ya29.", .dotted, 30...2048, 20, .googleOAuth),
    .init("Google OAuth client secret", "GOCSPX-", .url, 28...28, 20, .googleOAuth),
    .init("Stripe secret key", "sk_live_", .alphanumeric, 16...247, 12, .stripe),
    .init("Stripe restricted key", "rk_live_", .alphanumeric, 16...247, 12, .stripe),
    .init("Stripe test key", "sk_test_ rk_test_", .alphanumeric, 16...247, 12, .stripe, use: .test),
    .init("Stripe webhook secret", "whsec_", .base64, 24...88, 12, .stripeWebhook, loosely: .word),
    .init("Twilio API key", "SK", .hex, 32...32, 32, .twilio, loosely: .hex),
    .init("SendGrid API key", "SG.", .dotted, 66...66, 40, .sendGrid),
    .init("Mailgun API key", "key-", .hex, 32...32, 32, .mailgun, loosely: .hex),
    .init("Facebook token", "EAACEdEose0cBA", .alphanumeric, 16...300, 16, .facebook),
    .init("Square access token", "sq0atp-", .url, 22...22, 20, .square),
    .init("Square secret", "sq0csp-", .url, 43...43, 20, .square),
    .init("Shopify token", "shpat_ shpca_ shppa_ shpss_", .hex, 32...32, 30, .shopify),
    .init("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", .hex, 64...64, 40, .digitalOcean),
    .init("npm token", "npm_", .alphanumeric, 36...36, 30, .npm),
    .init("PyPI token", "pypi-AgE", .url, 60...1000, 37, .pypi),
    .init("Docker token", "dckr_pat_ dckr_oat_", .url, 27...40, 20, .docker),
    .init("RubyGems key", "rubygems_", .hex, 48...48, 40, .rubyGems),
    .init("Anthropic API key", "sk-ant-", .url, 40...200, 20, .anthropic),
    .init("OpenAI API key", "sk-proj- sk-svcacct- sk-admin-", .url, 40...220, 20, .openAI),
    .init("OpenAI API key", "sk-", .alphanumeric, 48...48, 48, .openAI, loosely: .alphanumeric),
    .init("Hugging Face token", "hf_", .alphanumeric, 34...34, 30, .huggingFace),
    .init("age secret key", "AGE-SECRET-KEY-1", .capitals, 58...58, 50, .age, kind: .privateKey),

    .init(
      "Stripe publishable key", "pk_live_ pk_test_", .alphanumeric, 16...247, 16, .stripe,
      use: .published),
    .init("Mapbox public token", "pk.", .dotted, 60...200, 60, .mapbox, use: .published),
    .init(
      "RevenueCat public key", "appl_ goog_", .alphanumeric, 20...40, 20, .revenueCat,
      use: .published),
    .init(
      "Braintree tokenization key", "sandbox_ production_", .word, 20...41, 20, .braintree,
      use: .published),
    .init("PostHog project key", "phc_", .alphanumeric, 40...50, 40, .postHog, use: .published),
  ]

  private static let gitLab =
    "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glffct- glimt- glagent- gloas-"
  private static let slack =
    "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp- xapp-"

  private init(
    _ name: String, _ prefixes: String, _ alphabet: TokenAlphabet, _ count: ClosedRange<Int>,
    _ least: Int, _ source: SecretSource, loosely: TokenAlphabet? = nil,
    kind: SecretKind = .apiKey, use: Use = .secret
  ) {
    self.name = name
    self.kind = kind
    self.prefixes = prefixes.split(separator: " ").map(String.init)
    exact = Tail(alphabet: alphabet, count: count)
    loose = Tail(alphabet: loosely ?? alphabet.loose, count: least...Int.max)
    self.use = use
    self.source = source
  }
}
