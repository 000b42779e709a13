@_spi(Tools) import AtRestCrypto
import Foundation
import Testing

/// The stored parameters of a password KDF are read as they were written, and hostile ones are
/// refused.
@Suite struct PasswordKDFHeaderTests {
  private func header(_ function: UInt8, _ cost: UInt32, _ r: UInt32, _ p: UInt32) -> Data {
    var writer = ByteWriter()
    writer.integer(function)
    writer.integer(cost)
    writer.integer(r)
    writer.integer(p)
    return writer.data
  }

  @Test(arguments: [
    PasswordKDF.scrypt(), .scrypt(logN: 20, blockSize: 16, parallelism: 2), .pbkdf2SHA256(),
    .pbkdf2SHA512(rounds: 1_000_000), .forTesting,
  ])
  func readsWhatItWrote(kdf: PasswordKDF) throws {
    #expect(kdf.encoded.count == PasswordKDF.encodedCount)
    #expect(try PasswordKDF.decoded(from: kdf.encoded) == kdf)
  }

  // Stored files have these bytes: a change would orphan them.
  @Test func layoutStaysTheSame() {
    #expect(PasswordKDF.scrypt().encoded.hex == "01000000110000000800000001")
    #expect(PasswordKDF.pbkdf2SHA256().encoded.hex == "02000927c00000000000000000")
    #expect(PasswordKDF.pbkdf2SHA512().encoded.hex == "0300035b600000000000000000")
  }

  @Test func refusesHostileCosts() {
    let hostile = [
      header(1, 23, 8, 1), header(1, 63, 8, 1), header(1, .max, 8, 1), header(1, 0, 8, 1),
      header(1, 22, 9, 1), header(1, 17, 0, 1), header(1, 17, .max, 1), header(1, 17, 8, 0),
      header(1, 17, 8, 17), header(1, 17, 8, .max), header(2, 0, 0, 0),
      header(2, 100_000_001, 0, 0), header(2, .max, 0, 0), header(2, 600_000, 1, 0),
      header(3, 600_000, 0, 1), header(3, .max, 0, 0),
    ]
    // Decoding has no password, so it cannot start the work that such a cost orders.
    for bytes in hostile {
      let error = #expect(throws: AtRestError.self) { try PasswordKDF.decoded(from: bytes) }
      #expect(error?.code == .damaged, "\(bytes.hex)")
    }
  }

  @Test func refusesUnknownFunctions() {
    for function: UInt8 in [0, 4, 255] {
      let error = #expect(throws: AtRestError.self) {
        try PasswordKDF.decoded(from: header(function, 17, 8, 1))
      }
      #expect(error?.code == .unsupportedVersion)
    }
  }

  @Test func refusesOtherLengths() {
    let bytes = PasswordKDF.scrypt().encoded
    for other in (0..<bytes.count).map({ bytes.prefix($0) }) + [bytes + [0]] {
      let error = #expect(throws: AtRestError.self) { try PasswordKDF.decoded(from: other) }
      #expect(error?.code == .damaged, "\(other.count) bytes")
    }
  }
}
