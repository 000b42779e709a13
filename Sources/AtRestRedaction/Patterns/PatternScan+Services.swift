extension PatternScan {
  /// The form of a service's tokens: a beginning, and a minimum number of characters after it.
  struct ServiceToken: Sendable {
    let prefix: [UInt8]
    let least: Int
    let isCharacter: @Sendable (UInt8) -> Bool
  }

  /// The tokens of services, as their documentation describes them.
  static let services: [ServiceToken] = {
    func tokens(
      _ prefixes: String, _ least: Int, _ isCharacter: @escaping @Sendable (UInt8) -> Bool
    ) -> [ServiceToken] {
      prefixes.split(separator: " ").map {
        ServiceToken(prefix: Array($0.utf8), least: least, isCharacter: isCharacter)
      }
    }
    let plain: @Sendable (UInt8) -> Bool = { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    let url: @Sendable (UInt8) -> Bool = { plain($0) || $0 == UInt8(ascii: "-") }
    let dotted: @Sendable (UInt8) -> Bool = { url($0) || $0 == UInt8(ascii: ".") }
    let capital: @Sendable (UInt8) -> Bool = { $0.isCapital || $0.isDigit }
    return
      // GitHub, GitLab
      tokens("ghp_ gho_ ghu_ ghs_ ghr_", 20, plain) + tokens("github_pat_", 20, plain)
      + tokens("glpat- glptt- gldt- glrt-", 16, url)
      // Slack
      + tokens("xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp-", 10, dotted)
      // Identifiers of access keys of AWS. Secret keys are found by their name, or as long keys.
      + tokens("AKIA ASIA", 16, capital)
      // Stripe
      + tokens("sk_live_ sk_test_ rk_live_ rk_test_ whsec_", 12, plain)
      // Google
      + tokens("AIza", 30, url) + tokens("ya29.", 20, dotted) + tokens("GOCSPX-", 20, url)
      // npm, PyPI, Docker, RubyGems
      + tokens("npm_", 30, plain) + tokens("pypi-", 40, url) + tokens("dckr_pat_", 20, url)
      + tokens("rubygems_", 40, plain)
      // Others
      + tokens("SG.", 40, dotted) + tokens("sk-ant- sk-proj- sk-svcacct-", 20, url)
      + tokens("hf_", 30, plain) + tokens("dop_v1_ doo_v1_", 40, plain)
      + tokens("shpat_ shpss_ shpca_", 30, plain) + tokens("sq0atp- sq0csp-", 20, url)
      + tokens("AGE-SECRET-KEY-1", 50, capital)
  }()

  /// Finds the tokens of ``services``.
  static func serviceTokens(_ text: [UInt8], _ found: Found) {
    var index = 0
    while index < text.count {
      guard text[index].isAlphanumeric, index == 0 || !text[index - 1].isBase64URL else {
        index += 1
        continue
      }
      if let service = services.first(where: { text[index...].starts(with: $0.prefix) }) {
        let tail = index + service.prefix.count
        let tokenEnd = end(of: text, from: tail, while: service.isCharacter)
        if tokenEnd - tail >= service.least {
          found(index..<tokenEnd)
          index = tokenEnd
          continue
        }
      }
      index = end(of: text, from: index, while: { $0.isAlphanumeric })
    }
  }
}
