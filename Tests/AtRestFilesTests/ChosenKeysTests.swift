import AtRestCrypto
import AtRestFiles
import Foundation
import Synchronization
import Testing

/// Files opened with the keys that their headers name.
@Suite struct ChosenKeysTests {
  @Test func theHeaderChooses() throws {
    let folder = try TestFolder()
    try folder.unlock()
    let byPhrase = try ProtectedFiles(
      passphrase: SecretBytes(utf8: "a phrase"), kdf: .forTesting)
    let data = TestFolder.bytes(200_000)
    try folder.files.write(data, to: folder.path("a"))
    try byPhrase.write(data, to: folder.path("b"))
    let asked = Mutex<[String]>([])
    let store = folder.files
    let chosen = ProtectedFiles { readers, name in
      asked.withLock {
        $0.append("\(readers[0].kind) \(URL(fileURLWithPath: name).lastPathComponent)")
      }
      return readers[0].kind == "store" ? store : byPhrase
    }
    #expect(try chosen.read(folder.path("a")) == data)
    #expect(try chosen.read(folder.path("b")) == data)
    #expect(asked.withLock { $0 } == ["store a", "passphrase b"])
    // No reader was chosen for a new file.
    #expect(refusal { try chosen.write(data, to: folder.path("c")) } == .invalidArgument)

    // A lock also applies to keys that were chosen this way.
    try chosen.rewrap(folder.path("a"), for: folder.files, protection: .complete)
    folder.keybag.lock()
    #expect(refusal { try chosen.read(folder.path("a")) } == .locked)
    #expect(try chosen.read(folder.path("b")) == data)
  }
}
