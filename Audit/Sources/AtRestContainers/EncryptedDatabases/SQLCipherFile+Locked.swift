import AtRestFormats
import Crypto

extension SQLCipherFile: LockedFile {
  var keys: LockedFileKeys { .ofKeySize }
  var takesPassphrases: Bool { salt != nil }

  func open(withKey bytes: [UInt8]) throws -> UnlockedFile? {
    let key = SymmetricKey(data: bytes)
    return try layout(openedBy: key).map { unlocked($0, key, nil) }
  }

  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile? {
    for derivation in Derivation.allCases {
      guard let key = try key(from: bytes, derivation), let layout = try layout(openedBy: key)
      else { continue }
      return unlocked(layout, key, derivation)
    }
    return nil
  }

  private func unlocked(
    _ layout: SQLCipherLayout, _ key: SymmetricKey, _ derivation: Derivation?
  ) -> UnlockedFile {
    // The sizes of version 4 with another HMAC are those of no other version, and with a raw key nothing tells 2 from 3.
    let format =
      switch (derivation, layout.reserve, layout.pageSize) {
      case (.version4?, _, _), (nil, 80, _): "SQLCipher 4"
      case (.version3?, _, _): "SQLCipher 3"
      case (.version2?, 16, _): "SQLCipher 1"
      case (.version2?, _, _): "SQLCipher 2"
      case (nil, 48, 1024): "SQLCipher 2 or 3"
      default: "SQLCipher"
      }
    return UnlockedFile(
      format: format, isPassphrase: derivation != nil,
      contents: .database(SQLCipherPages(layout: layout, key: key)))
  }
}
