#if os(Linux)
  import AtRestCrypto
  import AtRestTPM
  import Foundation
  import Testing

  /// Secrets and authorization values leave the process's memory, the library's copies included.
  @Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
  struct MemoryTests {
    @Test func anUnsealedSecretIsErased() throws {
      let device = try SoftwareTPM()
      let tpm = device.tpm()
      let authorization = SecretBytes.random(count: 32)
      let search = try MemorySearch(for: authorization)
      do {
        let secret = SecretBytes.random(count: 32)
        let secretSearch = try MemorySearch(for: secret)
        let object = try tpm.perform {
          try $0.seal(secret, authorization: authorization.duplicate())
        }
        let sealed = try secretSearch.occurrences()
        #expect(sealed == 1)
        let unsealed = try tpm.perform {
          try $0.unseal(object, authorization: authorization.duplicate())
        }
        // Control: the two copies that are still in use.
        let used = try secretSearch.occurrences()
        #expect(used == 2)
        #expect(Data(copying: unsealed.duplicate()).count == secret.count)
      }
      let left = try search.occurrences()
      #expect(left == 1)
      let counted = try tpm.perform { connection in
        let (counter, _) = try connection.defineCounter(authorization: authorization)
        return try connection.increment(counter, authorization: authorization)
      }
      let afterCounter = try search.occurrences()
      #expect(counted > 0 && afterCounter == 1)
      #expect(authorization.count == 32)
    }
  }
#endif
