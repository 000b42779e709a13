import AtRest
import Foundation
import Testing

@Suite struct PassphraseRecordTests {
  private let passphrase = SecretBox(SecretBytes(utf8: "four purple rhinos"))

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  @Test func thePassphraseOpensTheKey() throws {
    let (record, key) = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting)
    #expect(record.encoded.count == 119)
    #expect(key.bytes.count == 32)
    let read = try PassphraseRecord(decoding: record.encoded)
    #expect(read == record)
    let same = try read.key(passphrase.bytes)
    #expect(isSame(same, key))
    let secret = SecretBytes(record.encoded)
    let again = try PassphraseRecord(decoding: secret)
    #expect(again == record)
  }

  @Test func anotherDoesNot() throws {
    let (record, _) = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting)
    let other = SecretBytes(utf8: "four purple rhino")
    #expect(code { _ = try record.key(other) } == .authenticationFailed)
  }

  @Test func eachRecordHasAKeyOfItsOwn() throws {
    let (one, key) = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting)
    let (two, other) = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting)
    #expect(one.keyID != two.keyID)
    #expect(!isSame(key, other))
  }

  @Test func aChangeOfThePassphraseKeepsTheKey() throws {
    let (record, key) = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting)
    let new = SecretBytes(utf8: "seven green boats")
    let changed = try record.rewrapped(key.bytes, for: new, kdf: .forTesting)
    #expect(changed.keyID == record.keyID)
    let same = try changed.key(new)
    #expect(isSame(same, key))
    #expect(code { _ = try changed.key(passphrase.bytes) } == .authenticationFailed)
  }

  @Test func anotherKeyIsNotWrappedInItsPlace() throws {
    let (record, _) = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting)
    let refused = code {
      _ = try record.rewrapped(
        SecretBytes.random(count: 32), for: passphrase.bytes, kdf: .forTesting)
    }
    #expect(refused == .invalidArgument)
  }

  @Test func everyFlippedBitIsRefused() throws {
    let bytes = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting).record.encoded
    for offset in bytes.indices {
      // A cost raised by flipped bits would take long. It is authenticated like the rest.
      let isCost = (19..<31).contains(offset)
      for bit in isCost ? [UInt8(1)] : [UInt8(1), 128] {
        var changed = bytes
        changed[offset] ^= bit
        #expect(
          code { _ = try PassphraseRecord(decoding: changed).key(passphrase.bytes) } != nil,
          "offset \(offset)")
      }
    }
    // Control: the unchanged record opens.
    #expect(code { _ = try PassphraseRecord(decoding: bytes).key(passphrase.bytes) } == nil)
  }

  @Test func whatIsCutOrLongerIsRefused() throws {
    let bytes = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting).record.encoded
    #expect(code { _ = try PassphraseRecord(decoding: bytes.dropLast()) } == .damaged)
    #expect(code { _ = try PassphraseRecord(decoding: bytes + [0]) } == .damaged)
    #expect(code { _ = try PassphraseRecord(decoding: Data()) } == .damaged)
  }

  @Test func aRecordOrdersNoMoreThanAGibibyte() throws {
    var bytes = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting).record.encoded
    bytes.replaceSubrange(18..<31, with: PasswordKDF.scrypt(logN: 21).encoded)
    #expect(code { _ = try PassphraseRecord(decoding: bytes) } == .damaged)
    bytes.replaceSubrange(18..<31, with: PasswordKDF.scrypt(logN: 20).encoded)
    #expect(code { _ = try PassphraseRecord(decoding: bytes) } == nil)
    let made = code {
      _ = try PassphraseRecord.make(passphrase.bytes, kdf: .scrypt(logN: 21))
    }
    #expect(made == .invalidArgument)
    for kdf in [
      PasswordKDF.scrypt(logN: 20, parallelism: 2), .pbkdf2SHA256(rounds: 10_000_001),
      .pbkdf2SHA512(rounds: 10_000_001),
    ] {
      bytes.replaceSubrange(18..<31, with: kdf.encoded)
      #expect(code { _ = try PassphraseRecord(decoding: bytes) } == .damaged)
      #expect(
        code { _ = try PassphraseRecord.make(passphrase.bytes, kdf: kdf) } == .invalidArgument)
    }
    // Control: the highest cost that is allowed.
    bytes.replaceSubrange(18..<31, with: PasswordKDF.pbkdf2SHA256(rounds: 10_000_000).encoded)
    #expect(code { _ = try PassphraseRecord(decoding: bytes) } == nil)
  }

  @Test func aLaterVersionIsNamedSo() throws {
    var bytes = try PassphraseRecord.make(passphrase.bytes, kdf: .forTesting).record.encoded
    bytes[9] = 2
    #expect(code { _ = try PassphraseRecord(decoding: bytes) } == .unsupportedVersion)
  }
}
