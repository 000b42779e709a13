import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// What was stored before there were suites.
@Suite struct OlderAccountTests {
  /// The contents of a row: the account `eva` with a key and a passphrase, as the server wrote it before.
  private static func row(_ key: Data) -> Data {
    var writer = MessageWriter()
    writer.integer(UInt8(1))
    writer.counted(utf8: "eva")
    writer.integer(UInt8(1))
    writer.fixed(key)
    writer.integer(UInt8(1))
    writer.fixed(Data(repeating: 7, count: 32))
    for flag in [0, 0, 1] { writer.integer(UInt8(flag)) }
    writer.integer(UInt32(3600))
    writer.integer(UInt32(365))
    return writer.data
  }

  @Test func `The row of an account is read, and written as before`() throws {
    let row = Self.row(Data(copying: EvaluationKey(.p384).privateKey))
    #expect(try RecordKind.account.recode(row) == row)
    // The controls: another suite has keys of another size, and an unknown one is refused.
    for suite in [UInt8(2), 3] {
      var other = row
      other[6] = suite
      expectError(.damaged) { try RecordKind.account.recode(other) }
    }
  }

  @Test func `The row of an account that moves survives encoding, and none is cut off`() throws {
    for row in RecordKind.movingAccounts {
      #expect(try RecordKind.account.recode(row) == row)
      expectError(.damaged) { try RecordKind.account.recode(row + [0]) }
      // Without its succession it is the row of an account that never moved.
      let plain = 1 + 5 + 1 + (row[6] == 1 ? 48 : 32) + 33 + 3 + 8
      for count in 1..<row.count where count != plain {
        expectError(.damaged) { try RecordKind.account.recode(row.prefix(count)) }
      }
    }
  }

  @Test func `An identity without a suite is one of P384-SHA384`() throws {
    let key = EvaluationKey(.p384).publicKey
    var writer = MessageWriter()
    writer.fixed(Data(count: 32))
    writer.counted(utf8: "eva")
    writer.fixed(key.bytes)
    let identity = try KeyServerIdentity(decoding: writer.data)
    #expect(identity.publicKey == key && identity.account == "eva")
    #expect(try KeyServerIdentity(decoding: identity.encoded) == identity)
    // A part that happens to have the size of another suite's identity is refused at the first answer.
    let part = 32 + 5 + 1 + EvaluationSuite.ristretto255.elementCount
    for count in 0..<writer.data.count where count != part {
      expectError(.damaged) { try KeyServerIdentity(decoding: writer.data.prefix(count)) }
    }
  }
}
