@_spi(Tools) import AtRestCrypto
import Foundation

/// The contents of the item for a compartment's passphrase: the sensitivity for which the
/// passphrase is strong enough, and the record that verifies the passphrase. `docs/Formats.md` has
/// the bytes.
///
/// If a server hardened the passphrase, the record is one of the hardened key. While the passphrase
/// changes, there are two records of one key, because either passphrase may be the one that the
/// server accepts.
struct StoredPassphrase: Equatable {
  let sensitivity: Sensitivity
  /// The KDF with which a server hardens the passphrase, or nil if none does.
  private let hardenedKDF: PasswordKDF?
  private let records: [PassphraseRecord]

  private static let recordCount = 119
  private static let hardened: UInt8 = 0x80

  /// The identity of the key.
  var keyID: Data { records[0].keyID }

  // MARK: Use

  /// Makes a key for a first passphrase.
  static func make(
    _ passphrase: borrowing SecretBytes, for sensitivity: Sensitivity, kdf: PasswordKDF,
    hardener: (any PassphraseHardener)?
  ) throws -> (StoredPassphrase, SecretBox) {
    let (record, key) =
      if let hardener {
        try PassphraseRecord.make(
          hardener.setPassphrase(passphrase, kdf: kdf), kdf: .oneRound)
      } else {
        try PassphraseRecord.make(passphrase, kdf: kdf)
      }
    return (StoredPassphrase(sensitivity, hardener == nil ? nil : kdf, [record]), key)
  }

  /// Returns the key if the passphrase is right.
  func key(
    _ passphrase: borrowing SecretBytes, hardener: (any PassphraseHardener)?
  ) throws -> SecretBox {
    guard let hardenedKDF else { return try records[0].key(passphrase) }
    let hardener = try required(hardener)
    return try key(hardened: hardener.harden(passphrase, kdf: hardenedKDF)).key
  }

  private func key(
    hardened: borrowing SecretBytes
  ) throws -> (key: SecretBox, record: PassphraseRecord) {
    for record in records.dropLast() {
      do {
        return (try record.key(hardened), record)
      } catch AtRestError.Code.authenticationFailed {
        // The passphrase is the other one.
      }
    }
    let last = records[records.count - 1]
    return (try last.key(hardened), last)
  }

  /// Changes the passphrase, and returns the key, which stays the same.
  ///
  /// - Parameter store: Replaces the item's contents. It is called twice if a server hardens the
  ///   passphrase.
  func change(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, for sensitivity: Sensitivity,
    kdf: PasswordKDF, hardener: (any PassphraseHardener)?,
    _ store: (_ former: StoredPassphrase, _ present: StoredPassphrase) throws -> Void
  ) throws -> SecretBox {
    guard let hardenedKDF else {
      let key = try records[0].key(old)
      let record =
        if let hardener {
          try records[0].rewrapped(
            key.bytes, for: hardener.setPassphrase(new, kdf: kdf), kdf: .oneRound)
        } else {
          try records[0].rewrapped(key.bytes, for: new, kdf: kdf)
        }
      try store(self, StoredPassphrase(sensitivity, hardener == nil ? nil : kdf, [record]))
      return key
    }
    var changed: (key: SecretBox, both: StoredPassphrase, present: StoredPassphrase)?
    // The cost stays the same, because it is a part of the former passphrase too.
    try required(hardener).changePassphrase(from: old, to: new, kdf: hardenedKDF) {
      former, present in
      let (key, record) = try self.key(hardened: former)
      let next = try record.rewrapped(key.bytes, for: present, kdf: .oneRound)
      // Until the server has changed it, the former passphrase may be the only one that is valid.
      let both = StoredPassphrase(min(sensitivity, self.sensitivity), hardenedKDF, [record, next])
      try store(self, both)
      changed = (key, both, StoredPassphrase(sensitivity, hardenedKDF, [next]))
    }
    guard let changed else {
      throw AtRestError.invalid(
        "The passphrase hardener did not prepare the change.",
        remedy: "Call prepare before the change.")
    }
    try store(changed.both, changed.present)
    return changed.key
  }

  private func required(_ hardener: (any PassphraseHardener)?) throws -> any PassphraseHardener {
    guard let hardener else {
      throw AtRestError.invalid(
        "The passphrase was hardened by a server, and the vault was opened without it.",
        remedy: "Set Options.passphraseHardener when you open the vault.")
    }
    return hardener
  }

  // MARK: Layout

  private init(
    _ sensitivity: Sensitivity, _ hardenedKDF: PasswordKDF?, _ records: [PassphraseRecord]
  ) {
    self.sensitivity = sensitivity
    self.hardenedKDF = hardenedKDF
    self.records = records
  }

  init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The passphrase's item")
    let first = try reader.integer(UInt8.self)
    guard let sensitivity = Sensitivity(rawValue: Int(first & ~Self.hardened)) else {
      throw AtRestError.damaged("The passphrase's item is malformed.")
    }
    self.sensitivity = sensitivity
    guard first & Self.hardened != 0 else {
      hardenedKDF = nil
      records = [try PassphraseRecord(decoding: Data(bytes.dropFirst()))]
      return
    }
    hardenedKDF = try PasswordKDF.decoded(from: Data(reader.fixed(PasswordKDF.encodedCount)))
    var records: [PassphraseRecord] = []
    let count = bytes.count - 1 - PasswordKDF.encodedCount
    guard count == Self.recordCount || count == 2 * Self.recordCount else {
      throw AtRestError.damaged("The passphrase's item is malformed.")
    }
    for _ in 0..<count / Self.recordCount {
      records.append(try PassphraseRecord(decoding: Data(reader.fixed(Self.recordCount))))
    }
    guard Set(records.map(\.keyID)).count == 1 else {
      throw AtRestError.damaged("The passphrase's item has records of two keys.")
    }
    self.records = records
  }

  var encoded: SecretBytes {
    let first = UInt8(sensitivity.rawValue) | (hardenedKDF == nil ? 0 : Self.hardened)
    return SecretBytes(
      [first] + (hardenedKDF.map { Array($0.encoded) } ?? []) + records.flatMap(\.encoded))
  }
}

extension PasswordKDF {
  /// One round, for a key that the server and a KDF have stretched already.
  fileprivate static let oneRound = unchecked(.pbkdf2SHA256, cost: 1)
}
