import AtRestCrypto
import AtRestDatabase
import Foundation
import Testing

/// An export that is stopped at any time before the copy has its name leaves no plaintext.
struct StoppedExportTests {
  private struct Stop: Error {}

  /// The connection is passed on before anything is written, and before and after the copy is flushed.
  @Test(arguments: 1...4) func nothingIsLeft(call: Int) throws {
    let scratch = try Scratch()
    let key = DatabaseKey.passphrase(SecretBytes(utf8: "wren under 7 kettles"))
    try EncryptedDatabase.create(at: scratch.file, key: key)
    let copy = scratch.folder.appendingPathComponent("plain.db")
    var calls = 0
    func export() throws {
      try EncryptedDatabase.exportPlaintext(
        from: scratch.file, key: key, format: .sqlcipher4, to: copy
      ) { queue in
        calls += 1
        if calls == call, queue != nil { throw Stop() }
      }
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter {
        $0.hasPrefix("plain")
      }
    }
    guard call < 4 else {
      // Control: the fourth call says that the copy has its name.
      try export()
      return #expect(try names() == ["plain.db"])
    }
    #expect {
      try export()
    } throws: {
      ($0 as? AtRestError)?.cause is Stop
    }
    #expect(try names() == [])
    #expect(calls == call)
  }
}
