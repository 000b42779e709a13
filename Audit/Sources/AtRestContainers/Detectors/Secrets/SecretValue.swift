import AtRestSecrets

/// Checks that a value fits the kind that its name suggests.
enum SecretValue {
  private static let longest = 16_384

  static func fits(_ value: Slice<UnsafeBufferPointer<UInt8>>, _ verdict: SecretName.Verdict)
    -> Bool
  {
    fits(value, verdict.kind) && !(verdict.isPlural && isHost(value))
  }

  /// Returns true for a domain or the name of a host, as lists of those that have credentials
  /// contain.
  private static func isHost(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let labels = value.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard labels.count >= 2, let top = labels.last, (2...24).contains(top.count),
      top.allSatisfy({ $0 &- 0x61 < 26 })
    else { return false }
    return labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0 &- 0x61 < 26 || ASCII.isDigit($0) || $0 == 0x2D }
    }
  }

  private static func fits(_ value: Slice<UnsafeBufferPointer<UInt8>>, _ kind: SecretKind)
    -> Bool
  {
    guard !value.isEmpty, value.count <= longest else { return false }
    let text = String(decoding: value, as: UTF8.self)
    let lower = text.lowercased()
    guard !nothings.contains(lower), Set(value).count > 1 || value.first.map(ASCII.isDigit) == true,
      !isTemplate(text)
    else { return false }
    let digits = value.count(where: ASCII.isDigit)
    switch kind {
    case .password:
      return value.count >= 3 && !isAddress(lower) && !isCaption(lower)
    case .secret, .token, .apiKey, .webToken:
      return value.count >= 8 && !value.contains { ASCII.isBlank($0) } && !isAddress(lower)
        && !isIdentifier(value)
    case .privateKey:
      return value.count >= 8 && !isAddress(lower) && !isCaption(lower) && !isIdentifier(value)
    case .cardNumber:
      let isNumber = value.allSatisfy { ASCII.isDigit($0) || $0 == 0x20 || $0 == 0x2D }
      return isNumber && ((3...4).contains(digits) || (12...19).contains(digits))
    case .bankAccount: return digits >= 6 && value.count <= 42
    case .identityNumber: return digits >= 6 && value.count <= 24
    case .email: return lower.contains("@") && lower.contains(".")
    case .phone:
      return (7...15).contains(digits)
        && value.allSatisfy { ASCII.isDigit($0) || " +-().x/".utf8.contains($0) }
    case .dateOfBirth:
      return digits >= 4 && value.count <= 40
        && value.allSatisfy { ASCII.isAlphanumeric($0) || " -/.:,+TZ".utf8.contains($0) }
    case .address: return digits > 0 && value.contains(0x20) && value.count <= 200
    case .health: return value.count <= 200 && value.contains { ASCII.isAlphanumeric($0) }
    case .location: return Self.isCoordinate(value)
    }
  }

  /// Returns true for a number of degrees, or a pair of them, with at least three decimals (100 m).
  static func isCoordinate(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard value.count <= 64 else { return false }
    let parts = value.split { $0 == 0x2C || $0 == 0x20 || $0 == 0x3C || $0 == 0x3E }
    guard (1...2).contains(parts.count) else { return false }
    return parts.allSatisfy { part in
      let decimals = part.split(separator: 0x2E)
      guard decimals.count == 2, decimals[1].count >= 3,
        let number = Double(String(decoding: part, as: UTF8.self))
      else { return false }
      return abs(number) <= 180 && number != 0
    }
  }

  private static let nothings: Set<String> = [
    "true", "false", "yes", "no", "null", "nil", "(null)", "<null>", "none", "undefined", "nan",
    "n/a", "unknown", "default", "required", "optional", "string", "redacted", "<redacted>",
    "<private>",
    "hidden", "empty", "enabled", "disabled", "on", "off",
  ]

  private static func isTemplate(_ text: String) -> Bool {
    let isBracketed = [("${", "}"), ("{{", "}}"), ("$(", ")"), ("{", "}"), ("[", "]")].contains {
      text.hasPrefix($0.0) && text.hasSuffix($0.1)
    }
    return isBracketed || text.contains("%@") || text.contains("%s")
  }

  private static func isAddress(_ lower: String) -> Bool {
    lower.contains("://") || lower.hasPrefix("/") && lower.dropFirst().contains("/")
  }

  /// Returns true for a string that describes a password instead of being one.
  private static func isCaption(_ lower: String) -> Bool {
    let said = [
      "password", "passwort", "passcode", "secret", "mot de passe", "contraseña", "senha",
    ]
    return said.contains {
      lower == $0 || lower == $0 + ":" || lower.contains($0) && lower.contains(" ")
    }
      || lower.hasSuffix("?") && lower.contains(" ")
  }

  /// Returns true for an identifier in code: `com.example.thing`, `NSURLSessionToken`, `kAuth_key`.
  private static func isIdentifier(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let isWord = value.allSatisfy { ASCII.isLetter($0) || "._- ".utf8.contains($0) }
    guard isWord, value.count < 48 else { return false }
    // Long runs of letters that change case at random are not words.
    let changes = zip(value, value.dropFirst()).count { pair in
      ASCII.isLetter(pair.0) && ASCII.isLetter(pair.1) && pair.0 & 0x20 == 0 && pair.1 & 0x20 != 0
    }
    return changes * 4 < value.count
  }
}
