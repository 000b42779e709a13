/// A form of keys that a provider issues, recognised by their prefix.
struct KnownKey: Sendable {
  let provider: String
  let prefix: [UInt8]
  let alphabet: Alphabet
  /// The number of characters after the prefix.
  let length: ClosedRange<Int>

  enum Alphabet: Sendable {
    case upper, hex, alphanumeric, word, path

    func contains(_ byte: UInt8) -> Bool {
      switch self {
      case .upper: ASCII.isDigit(byte) || byte &- 0x41 < 26
      case .hex: ASCII.hex(byte) != nil
      case .alphanumeric: ASCII.isAlphanumeric(byte)
      case .word: ASCII.isAlphanumeric(byte) || byte == 0x5F || byte == 0x2D
      case .path: ASCII.isAlphanumeric(byte) || "_-./".utf8.contains(byte)
      }
    }
  }

  private init(
    _ provider: String, _ prefix: String, _ alphabet: Alphabet, _ length: ClosedRange<Int>
  ) {
    self.provider = provider
    self.prefix = Array(prefix.utf8)
    self.alphabet = alphabet
    self.length = length
  }

  static let all: [KnownKey] = [
    KnownKey("AWS access key", "AKIA", .upper, 16...16),
    KnownKey("AWS temporary access key", "ASIA", .upper, 16...16),
    KnownKey("Google API key", "AIza", .word, 35...35),
    KnownKey("Google OAuth token", "ya29.", .word, 30...400),
    KnownKey("Google OAuth client secret", "GOCSPX-", .word, 28...28),
    KnownKey("GitHub token", "ghp_", .alphanumeric, 36...36),
    KnownKey("GitHub token", "gho_", .alphanumeric, 36...36),
    KnownKey("GitHub token", "ghu_", .alphanumeric, 36...36),
    KnownKey("GitHub token", "ghs_", .alphanumeric, 36...36),
    KnownKey("GitHub token", "ghr_", .alphanumeric, 36...76),
    KnownKey("GitHub token", "github_pat_", .word, 82...82),
    KnownKey("GitLab token", "glpat-", .word, 20...40),
    KnownKey("Slack token", "xoxb-", .word, 20...120),
    KnownKey("Slack token", "xoxp-", .word, 20...120),
    KnownKey("Slack token", "xoxa-", .word, 20...120),
    KnownKey("Slack token", "xoxr-", .word, 20...120),
    KnownKey("Slack token", "xoxs-", .word, 20...120),
    KnownKey("Slack webhook", "hooks.slack.com/services/T", .path, 30...80),
    KnownKey("Stripe secret key", "sk_live_", .alphanumeric, 16...120),
    KnownKey("Stripe restricted key", "rk_live_", .alphanumeric, 16...120),
    KnownKey("Stripe test key", "sk_test_", .alphanumeric, 16...120),
    KnownKey("Twilio API key", "SK", .hex, 32...32),
    KnownKey("SendGrid API key", "SG.", .path, 66...66),
    KnownKey("Mailgun API key", "key-", .hex, 32...32),
    KnownKey("Facebook access token", "EAACEdEose0cBA", .alphanumeric, 20...300),
    KnownKey("Square access token", "sq0atp-", .word, 22...22),
    KnownKey("Square secret", "sq0csp-", .word, 43...43),
    KnownKey("Shopify token", "shpat_", .hex, 32...32),
    KnownKey("npm token", "npm_", .alphanumeric, 36...36),
    KnownKey("DigitalOcean token", "dop_v1_", .hex, 64...64),
    KnownKey("Anthropic API key", "sk-ant-", .word, 40...160),
    KnownKey("OpenAI API key", "sk-proj-", .word, 40...200),
    KnownKey("OpenAI API key", "sk-", .alphanumeric, 48...48),
    KnownKey("Hugging Face token", "hf_", .alphanumeric, 34...34),
    KnownKey("age secret key", "AGE-SECRET-KEY-1", .upper, 58...58),
  ]

  /// The keys that begin with each byte.
  static let byFirst: [[KnownKey]] = {
    var table = [[KnownKey]](repeating: [], count: 256)
    for key in all {
      if let first = key.prefix.first { table[Int(first)].append(key) }
    }
    return table
  }()

  /// True for each pair of first bytes, the first in the higher half, that a key begins with. It
  /// rules out most words.
  static let begins: [Bool] = {
    var table = [Bool](repeating: false, count: 1 << 16)
    for key in all { table[Int(key.prefix[0]) << 8 | Int(key.prefix[1])] = true }
    return table
  }()

  /// The end of a key of this form that begins at a position, or nil if there is none.
  func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard text.count - start >= prefix.count + length.lowerBound,
      text[start..<start + prefix.count].elementsEqual(prefix)
    else { return nil }
    var end = start + prefix.count
    let last = end + length.upperBound
    while end < text.count, end <= last, alphabet.contains(text[end]) { end += 1 }
    let count = end - start - prefix.count
    // Keys are random. A key with few different characters is a placeholder.
    guard length.contains(count), Set(text[start + prefix.count..<end]).count >= 6 else {
      return nil
    }
    return end
  }
}
