import AtRestAuditAnalysis
import AtRestAuditModel

/// Screens that show something private, such as chats, cards or the words of a wallet.
///
/// The name of a screen says what it is for, and the types of the app say what it has: the "wallet" of a shop
/// has points, and a screen called "OTP" asks for a code that was sent.
enum PrivateScreens {
  /// A kind of screens, with the data that they show.
  private struct Row {
    /// Words in the name of a screen.
    let screens: Set<String>
    /// The number of screens of an app of which one or more must be of this kind: a shop can have a chat.
    var share = Int.max
    /// Returns true if a type of the app holds what such a screen shows.
    let holds: @Sendable (TypeFacts) -> Bool
  }

  private static let rows: [Row] = [
    Row(screens: ["chat", "chats", "conversation", "messages"], share: 20, holds: isMessage),
    Row(
      screens: [
        "wallet", "wallets", "mnemonic", "seed", "recovery", "vault", "passwords", "credentials",
      ],
      holds: { has($0, ["mnemonic", "seed", "phrase", "private key", "passwords", "keystore"]) }),
    Row(
      screens: ["vault", "passwords", "credentials", "entry"],
      holds: { has($0, ["password"]) && has($0, ["title", "url", "site", "website", "notes"]) }),
    Row(
      screens: ["otp", "totp", "token", "tokens", "code", "codes", "authenticator"],
      holds: {
        has($0, ["secret"]) && has($0, ["period", "counter", "digits", "issuer", "algorithm"])
      }),
    Row(
      screens: ["bank", "card", "payment", "passport"],
      holds: { has($0, ["cvv", "cvc", "card number", "iban", "passport number", "security code"]) }),
  ]

  /// Returns true if an app has a screen for something private, and data that such a screen shows.
  static func shown(by project: ProjectFacts) -> Bool {
    let all = project.types.keys.filter { Words.split($0).last.map(screens.contains) == true }
    return rows.contains { row in
      let own = all.count { isScreen($0, about: row.screens) }
      return own > 0 && own >= all.count / row.share
        && project.types.values.contains(where: row.holds)
    }
  }

  /// Returns true if an app has a screen whose name is that of something private.
  static func named(in project: ProjectFacts) -> Bool {
    project.types.keys.contains { isScreen($0, about: subjects) }
  }

  private static func isScreen(_ type: String, about subjects: Set<String>) -> Bool {
    let words = Words.split(type)
    return words.last.map(screens.contains) == true && words.contains(where: subjects.contains)
  }

  private static let screens: Set<String> = ["view", "controller", "cell", "screen"]

  private static let subjects: Set<String> = rows.reduce(
    into: Set(["patient", "medical", "diary", "journal"])
  ) { $0.formUnion($1.screens) }
  .subtracting(["code", "codes", "entry", "token", "tokens", "card"])

  /// Returns true if the names of a type's properties have one of these words, or two of them in a row.
  private static func has(_ type: TypeFacts, _ words: Set<String>) -> Bool {
    type.variables.keys.contains { name in
      let own = Words.split(name)
      return own.contains(where: words.contains)
        || zip(own, own.dropFirst()).contains { words.contains("\($0) \($1)") }
    }
  }

  /// Returns true for a text with the one who wrote it.
  private static func isMessage(_ type: TypeFacts) -> Bool {
    let last = Words.split(type.name).last
    return ["message", "msg"].contains(last) && has(type, ["text", "content", "body", "message"])
      && has(
        type,
        [
          "sender", "author", "recipient", "receiver", "from", "chat", "conversation", "thread",
          "channel",
        ])
  }
}
