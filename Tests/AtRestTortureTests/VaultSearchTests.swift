#if os(Linux)
  import AtRestCrypto
  import AtRestTestSupport
  import Foundation
  import Testing

  /// After a logout, no data of the account is in any file or in the process that used it.
  @Suite struct VaultSearchTests {
    /// The same ways as in the worker's `VaultSecrets`.
    private static let ways = [
      "data", "large-data", "string", "large-string", "secret", "large-secret", "struct",
      "large-struct", "data-passphrase", "large-data-passphrase", "secret-passphrase",
      "struct-passphrase", "token", "preference", "passphrase",
    ]

    private static func letters(_ number: Int, _ seed: String) -> Data {
      let key = SecretBytes(utf8: seed).derive(
        Purpose("atrest.torture.secret.v1"), salt: Data([UInt8(number)]))
      return Data(Data(copying: key).map { 97 + $0 % 26 })
    }

    /// Returns a secret as it is, in hex, and in base64 at every alignment.
    private static func forms(_ secret: Data) -> [String: Data] {
      let hex = secret.map { String(format: "%02x", $0) }.joined()
      var forms = [
        "plain": secret, "hex": Data(hex.utf8), "HEX": Data(hex.uppercased().utf8),
        // The form in which `NSString` holds it.
        "utf16": Data(secret.flatMap { [$0, 0] }),
      ]
      for shift in 0..<3 {
        let text = (Data(count: shift) + secret).base64EncodedString()
        forms["base64.\(shift)"] = Data(text.utf8.dropFirst(4).prefix(36))
      }
      return forms
    }

    @Test func nothingIsLeftAfterTheLogout() throws {
      let scratch = try Scratch()
      let seed = "\(UInt64.random(in: 0 ... .max))"
      let needles = Self.ways.enumerated().map { ($1, Self.forms(Self.letters($0, seed))) }
      let worker = try Worker(
        program: "atrest-vault-worker", ["secrets", scratch.folder.path, seed])
      var memory: [String: [String]] = [:]
      for phase in ["stored", "out", "planted"] {
        #expect(String(decoding: worker.available(), as: UTF8.self) == "\(phase)\n")
        memory[phase] = try Self.search(worker.identifier, needles)
        #expect(try Self.search(scratch.folder, needles) == [], "files, \(phase)")
        try worker.go()
      }
      #expect(worker.finish().status == 0)
      print(
        "vault, search: \(needles.count) secrets in \(needles[0].1.count) forms; in memory while "
          + "logged in \(memory["stored"]!), after the logout \(memory["out"]!)")
      // Controls: all secrets are found in memory where they are stored, and in a file.
      let all = Self.ways.map { "\($0) plain" }
      #expect(Set(all).isSubset(of: memory["planted"]!))
      try needles[3].1["base64.1"]!.write(to: scratch.folder.appendingPathComponent("planted"))
      #expect(try Self.search(scratch.folder, needles) == ["large-string base64.1"])
      // The remnants of these two are Foundation's; see below.
      #expect(Set(memory["out"]!).isSubset(of: Self.leftByFoundation))
    }

    /// Nobody erases the objects into which Foundation reads a property list, nor the buffers of
    /// its JSON coder.
    private static let leftByFoundation: Set = ["preference plain", "large-struct plain"]

    /// The experiment behind the exception above: a process that uses Foundation's coders alone, and
    /// erases everything it has itself, leaves the same two secrets.
    @Test(arguments: ["preference", "large-struct"])
    func foundationLeavesWhatPassesThroughItsCoders(_ way: String) throws {
      // What is left depends on the allocator, so there are as many processes as it takes.
      let isLeft = try (0..<100).contains { _ in
        let seed = "\(UInt64.random(in: 0 ... .max))"
        let needles = Self.ways.enumerated().map { ($1, Self.forms(Self.letters($0, seed))) }
        let worker = try Worker(program: "atrest-vault-worker", ["coders", seed, way])
        #expect(String(decoding: worker.available(), as: UTF8.self) == "coded\n")
        let left = try Self.search(worker.identifier, needles)
        try worker.go()
        #expect(worker.finish().status == 0)
        return left == ["\(way) plain"]
      }
      #expect(isLeft)
    }

    private static func search(_ folder: URL, _ needles: [(String, [String: Data])]) throws
      -> [String]
    {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      let contents = try (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
        .map { try Data(contentsOf: $0) }
      return found(needles) { needle in contents.contains { $0.range(of: needle) != nil } }
    }

    /// Searches the memory of a child process that waits.
    private static func search(_ process: Int32, _ needles: [(String, [String: Data])]) throws
      -> [String]
    {
      let maps = try SearchedMemory.maps(of: process)
      let file = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(file) }
      var regions: [[UInt8]] = []
      for line in maps.split(separator: "\n") {
        let words = line.split(separator: " ")
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard words[1].hasPrefix("rw"), ends[1] - ends[0] < 1 << 28 else { continue }
        var region = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
        let count = pread(file, &region, region.count, off_t(ends[0]))
        if count > 0 { regions.append(region) }
      }
      // Foundation's own search takes minutes in debug builds, and this declaration requires
      // _GNU_SOURCE.
      typealias Search =
        @convention(c) (
          UnsafeRawPointer, Int, UnsafeRawPointer, Int
        ) -> UnsafeRawPointer?
      let memmem = unsafeBitCast(dlsym(nil, "memmem"), to: Search.self)
      return found(needles) { needle in
        needle.withUnsafeBytes { needle in
          regions.contains { region in
            memmem(region, region.count, needle.baseAddress!, needle.count) != nil
          }
        }
      }
    }

    private static func found(
      _ needles: [(String, [String: Data])], _ contains: (Data) -> Bool
    ) -> [String] {
      needles.flatMap { name, forms in
        forms.filter { contains($0.value) }.map { "\(name) \($0.key)" }.sorted()
      }
    }
  }
#endif
