#if os(Linux)
  import AtRestCrypto
  import Foundation
  import Testing

  /// After a secret's owner releases it, no copy is left anywhere in the process.
  @Suite(.serialized) struct ErasureTests {
    // 1 MiB is mapped and unmapped on its own; the others share pages.
    @Test(arguments: [32, 1_000, 1 << 20])
    func releasedSecretIsGone(count: Int) throws {
      let scanner = try MemoryScanner()
      do {
        let secret = SecretBytes.random(count: count)
        secret.withUnsafeBytes { scanner.look(for: $0) }
        #expect(scanner.occurrences() >= 1, "Control: the scan does not find a living secret.")
        #expect(secret.count == count)
      }
      #expect(scanner.occurrences() == 0)
    }

    @Test func movedDataIsErasedWhereItWas() throws {
      let scanner = try MemoryScanner()
      var data = RandomBytes.data(count: 64)
      data.withUnsafeBytes { scanner.look(for: $0) }
      #expect(scanner.occurrences() >= 1)
      do {
        let secret = SecretBytes(erasing: &data)
        #expect(data.isEmpty && scanner.occurrences() == 1)
        #expect(secret.count == 64)
      }
      #expect(scanner.occurrences() == 0)
    }

    // Control: ordinary memory is not erased, so the scan can detect the difference.
    @Test func ordinaryDataIsFoundAgain() throws {
      let scanner = try MemoryScanner()
      let data = RandomBytes.data(count: 64)
      data.withUnsafeBytes { scanner.look(for: $0) }
      #expect(scanner.occurrences() >= 1)
      #expect(data.count == 64)
    }

    @Test func releasedPrivateKeyIsGone() throws {
      let scanner = try MemoryScanner()
      let text = try Fixture.data("p256-pkcs8.pem")
      do {
        // A separate key, imported from PEM text in locked memory and used.
        let pem = try PrivateKey.generate(.ed25519).pemRepresentation
        let key = try PrivateKey(importing: pem)
        key.storage.withUnsafeBytes { scanner.look(for: $0) }
        #expect(scanner.occurrences() >= 1)
        #expect(try key.signature(for: text).count == 64)
        #expect(try key.rawRepresentation().count == 32)
        #expect(key.derRepresentation.count == 48)
      }
      #expect(scanner.occurrences() == 0)
    }
  }
#endif
