import AtRestSecrets
import Synchronization

/// Determines the kind of a value by its name, such as `user.password`, `accessToken` or
/// `JSESSIONID`.
enum SecretName {
  struct Verdict {
    let kind: SecretKind
    /// True if the name is unambiguous.
    let isStrong: Bool
    /// True if the name is a plural, which may also name a list of something else, such as the
    /// domains that have passwords.
    let isPlural: Bool

    init(_ name: SensitiveName) {
      // A value under `secret` is mostly one that a server issued.
      kind = name.kind == .secret ? .token : name.kind
      isStrong = name.strength == .clear
      isPlural = name.isPlural
    }
  }

  private static let longest = 80

  /// A cache of verdicts, because there are few names and many values.
  private static let known = Mutex<[String: Verdict?]>([:])
  private static let knownLimit = 10_000

  static func verdict(_ name: UnsafeBufferPointer<UInt8>) -> Verdict? {
    guard name.count <= longest, SensitiveName.mayBeSensitive(name) else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    if let verdict = known.withLock({ $0[text] }) { return verdict }
    let verdict = SensitiveName(key: text).map(Verdict.init)
    known.withLock { known in
      if known.count >= knownLimit { known.removeAll(keepingCapacity: true) }
      known[text] = verdict
    }
    return verdict
  }

  /// Returns true if values of this name contain an at sign without being personal addresses.
  static func isHandle(_ name: String) -> Bool {
    Words.split(name).last.map(handles.contains) == true
  }

  /// Returns true if the name is that of a number other than a card's, such as `orderId`.
  static func isNumbering(_ name: String) -> Bool {
    Words.split(name).contains(where: numberings.contains)
  }

  /// Last words of names whose values are handles (`jo@social.example`), or the makers of software.
  private static let handles = set(
    """
    acct handle handles webfinger mention mentions actor license licence licenses licences copyright
    maintainer maintainers contributor contributors
    """)

  /// Words of names whose values are numbers that count or identify something.
  private static let numberings = set(
    """
    id ids identifier identifiers uuid guid serial imei imsi iccid order tracking invoice reference
    ref transaction barcode ean upc isbn timestamp time date build version size offset hash checksum
    seed nonce count sequence seq revision
    """)

  private static func set(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
