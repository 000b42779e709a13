#if os(Linux)
  import AtRestCrypto
  @_spi(Tools) import AtRestKeybag
  @_spi(Tools) import AtRestKeychain
  @_spi(Tools) import AtRestTestSupport
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// The memory, stacks and registers of an agent are searched from outside for keys, key schedules,
  /// the passcode, and the secrets that passed through it.
  @Suite(.serialized, .enabled(if: geteuid() == 0, "only root can read the agent's memory"))
  struct MemoryTests {
    private static func secret(_ data: some ContiguousBytes) -> AgentSecret {
      AgentSecret(SecretBytes(data))
    }

    /// Returns 16 bytes of a secret as a needle, for each 16 bytes of its first 64.
    private static func needles(_ name: String, _ secret: Data) -> [Needle] {
      stride(from: 0, to: min(64, secret.count), by: Needle.count).map {
        Needle(
          name: "\(name)/\($0)", bytes: Array(secret.dropFirst($0).prefix(Needle.count)))
      }
    }

    @Test func aLockLeavesNoKeysAndNoSecrets() throws {
      let scratch = try Scratch()
      let passcode = RandomBytes.data(count: 32)
      let known = try KnownSecrets(
        store: scratch.store, device: scratch.device, passcode: passcode
      ).needles
      let (stored, unfinished) = (RandomBytes.data(count: 4_000), RandomBytes.data(count: 4_000))
      let large = RandomBytes.data(count: 900_000)
      let fileKey = RandomBytes.data(count: 32)
      let memory = SearchedMemory(
        known + Self.needles("stored", stored) + Self.needles("unfinished", unfinished)
          + Self.needles("large", large) + Self.needles("file-key", fileKey))
      let agent = try AgentProgram(scratch.location, in: scratch.folder)
      /// Searches the agent. It has a moment to release what it has just sent or stored.
      func found() throws -> [String: [String]] {
        let end = ContinuousClock.now + .seconds(120)
        while true {
          let found = try memory.found(in: agent.identifier)
          if !found.keys.contains(where: Self.isSecret) || ContinuousClock.now > end {
            return found
          }
        }
      }

      let locked = try found()
      let grant = AgentGrant(
        AgentEvidence(.user, String(geteuid())), groups: ["torture", AgentGrant.filesGroup],
        mayWrite: true)
      try agent.connect().send(.addGrant(grant, passcode: Self.secret(passcode)))
      try agent.connect().send(.unlock(passcode: Self.secret(passcode)))
      // Every connection and every thread of the agent passes secrets on.
      let connections = try (0..<8).map { _ in try agent.connect() }
      for connection in connections {
        for number in KnownSecrets.classes.indices {
          for length in KnownSecrets.Length.allCases {
            let key = PrimaryKey.genericPassword(
              service: length.rawValue, account: "\(number)", group: "torture")
            #expect(try connection.secret(.get(key, groups: [])).count == length.count)
          }
        }
        try Self.useFileKey(fileKey, of: scratch.location.openKeybag().identity, connection)
      }
      func set(_ name: String, _ secret: Data) -> AgentRequest {
        .set(
          .genericPassword(service: "new", account: name, group: "torture"),
          secret: Self.secret(secret), accessible: .whenUnlocked, groups: [])
      }
      try connections[0].send(set("stored", stored))
      try connections[0].send(set("large", large))
      let unlocked = try found()

      // A client that does not finish a request, and one that does not read an answer.
      let (slow, deaf) = (try RawClient(agent.socket), try RawClient(agent.socket))
      let request = Data(
        copying: try set("unfinished", unfinished).encoded(for: connections[0].store))
      slow.write(RawClient.frame(Array(request)).dropLast())
      deaf.write(
        RawClient.frame(
          Array(
            Data(
              copying: try AgentRequest.get(
                .genericPassword(service: "new", account: "large", group: "torture"), groups: []
              ).encoded(for: connections[0].store)))))
      slow.waitUntilRead()
      deaf.waitForAnswer()
      // The agent ends connections that take too long, so the copy is searched later.
      let copy = try SearchedMemory.copy(of: agent.identifier)
      slow.write([0])
      #expect(slow.answer() != nil)
      #expect(deaf.answer()?.count == large.count + 2)
      let half = memory.found(in: copy)
      let finished = try found()
      try connections[1].send(.lock)
      let after = try found()

      print(
        "agent memory: found \(locked.count) before the unlock, \(unlocked.count) while unlocked, "
          + "\(half.count) with half a request and half an answer, \(after.count) after the lock")
      // Controls: while unlocked, the class keys are in memory, and so are the parts of messages
      // that are under way.
      for keyClass in ["whenUnlocked", "whenUnlockedThisDeviceOnly"] {
        #expect(unlocked["class.\(keyClass)/0"] != nil, "\(keyClass)")
      }
      #expect(half["unfinished/0"] != nil && half["large/0"] != nil)
      // Even while the store is unlocked, no passcode and no secret stays.
      for found in [locked, unlocked, finished, after] {
        #expect(found.keys.filter(Self.isSecret).sorted() == [])
      }
      expect(locked, only: { $0.availability == .always })
      expect(after, only: { $0.availability != .whenUnlocked })
    }

    /// Wraps and unwraps the key of a file.
    private static func useFileKey(
      _ key: Data, of store: StoreIdentity, _ connection: AgentConnection
    ) throws {
      for keyClass in [KeyClass.complete, .completeUnlessOpen, .completeUntilFirstAuthentication] {
        let wrap = FileKeyRequest.wrap(
          SecretBytes(key), under: keyClass, file: "file", store: store)
        guard case .data(let wrapped) = try connection.send(.fileKey(wrap)) else {
          Issue.record("The answer is not a wrapped key.")
          continue
        }
        let unwrap = FileKeyRequest.unwrap(wrapped, under: keyClass, file: "file", store: store)
        #expect(Data(copying: try connection.secret(.fileKey(unwrap))) == key)
      }
    }

    private static func isSecret(_ name: String) -> Bool {
      [
        "passcode", "kdf-output", "secret.", "item-key.", "stored/", "unfinished/", "large/",
        "file-key/",
      ].contains { name.hasPrefix($0) }
    }

    /// Each piece of a held value may be in memory once, as it is.
    private func expect(_ found: [String: [String]], only isHeld: (KeyClass) -> Bool) {
      let held =
        ["device-key/", "effaceable/"]
        + KeyClass.allCases.filter(isHeld).flatMap { keyClass in
          ["class", "metadata", "item-wrap"].map { "\($0).\(keyClass)/" }
        }
      let remainders = found.filter { name, places in
        places.count > 1 || places == ["registers"] || !held.contains { name.hasPrefix($0) }
      }
      #expect(remainders == [:])
    }
  }
#endif
