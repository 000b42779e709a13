import AtRestCrypto
import AtRestFiles
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent
@_spi(Tools) @testable import AtRestKeybag

/// The protected files of a process that has not unlocked the store go through the agent.
struct FileKeyTests {
  @Test(arguments: FileProtection.allCases)
  func eachClassIsWrittenAndRead(_ protection: FileProtection) throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: protection)
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
    #expect(client.keybag.lockState == .beforeFirstUnlock)
    let expected: [FileProtection: [String]] = [
      .complete: ["wrap-file-key done", "unwrap-file-key done"],
      .completeUntilFirstAuthentication: ["wrap-file-key done", "unwrap-file-key done"],
      // What needs no unlock needs no agent.
      .completeUnlessOpen: ["unwrap-file-key done"], .none: [],
    ]
    #expect(try client.recorded == expected[protection])
  }

  /// A file that one process wrote with the keys of the agent is read by one that has its own keys, and
  /// the other way round.
  @Test(arguments: FileProtection.allCases)
  func theFilesAreThoseOfTheStore(_ protection: FileProtection) throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: protection)
    try client.writeDirectly("b", protection)
    #expect(try client.files.read(client.path("b")) == FileClient.contents)
    let direct = try client.run.location.openKeybag()
    try direct.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    #expect(try ProtectedFiles(direct).read(client.path("a")) == FileClient.contents)
  }

  @Test func aClassIsChanged() throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    try client.files.setProtection(.completeUntilFirstAuthentication, of: client.path("a"))
    let handle = try client.files.open(
      client.path("a"), requiring: .completeUntilFirstAuthentication)
    #expect(try handle.readToEnd() == FileClient.contents)
  }

  /// Without the agent, the same calls of the same process find the store locked.
  @Test(arguments: [FileProtection.complete, .completeUntilFirstAuthentication])
  func withoutTheAgentTheStoreIsLocked(_ protection: FileProtection) throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: protection)
    let direct = ProtectedFiles(client.keybag, usesAgent: false)
    #expect(client.code { _ = try direct.read(client.path("a")) } == .locked)
    #expect(
      client.code { try direct.write(Data(), to: client.path("b"), protection: protection) }
        == .locked)
    client.agent.kill()
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .locked)
  }

  // MARK: Locking

  @Test func aLockedAgentReadsAndWritesNoFileOfClassComplete() throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    try client.lock()
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .locked)
    #expect(
      client.code {
        try client.files.write(Data(), to: client.path("b"), protection: .complete)
      } == .locked)
    try client.unlock()
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
  }

  @Test func aLockedAgentReadsFilesOfClassUntilFirstAuthentication() throws {
    let client = try FileClient()
    try client.lock()
    try client.files.write(FileClient.contents, to: client.path("a"))
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
    // An agent that was not unlocked yet does not have their keys.
    try client.restart()
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .locked)
  }

  @Test func filesOfClassUnlessOpenAreWrittenWhileLocked() throws {
    let client = try FileClient()
    try client.lock()
    try client.files.write(
      FileClient.contents, to: client.path("a"), protection: .completeUnlessOpen)
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .locked)
    try client.unlock()
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
  }

  /// The lock counts from the moment in which it is answered.
  @Test func aLockReachesOpenHandlesOfClassComplete() throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    let handle = try client.files.open(client.path("a"))
    for _ in 0..<3 {
      #expect(try handle.read(upToCount: 100, at: 0) == FileClient.contents)
      try client.lock()
      #expect(client.code { _ = try handle.read(upToCount: 100, at: 0) } == .locked)
      try client.unlock()
    }
  }

  /// A lock erases the keys of open files, which the lock's observers do, without waiting for a call.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "Linux only"))
  func aLockReachesProcessesThatDoNotAsk() throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    let isTold = DispatchSemaphore(value: 0)
    client.keybag.onLock { isTold.signal() }
    try client.lock()
    #expect(isTold.wait(timeout: .now() + 30) == .success)
  }

  /// The observers of a lock do not wait for a handle whose call waits for the agent's user.
  @Test func aLockWaitsForNoQuestion() throws {
    let run = try AgentRun(asks: true)
    let claim = try AgentClaim(store: run.location.store, socket: run.socket)
    defer { withExtendedLifetime(claim) {} }
    try run.unlock()
    let keybag = try run.location.openKeybag()
    let files = ProtectedFiles(keybag)
    let url = run.folder.appendingPathComponent("a")
    try files.write(FileClient.contents, to: url, protection: .complete)
    let handle = try files.open(url)
    let told = Mutex(0)
    keybag.onLock { told.withLock { $0 += 1 } }
    try run.connect().send(.lock)
    #expect(eventually { told.withLock { $0 } == 1 })
    try run.unlock()
    // The handle asks for its key again, and the user does not answer yet.
    try run.asker.set("wait")
    let asked = run.asker.questions.count
    let ended = DispatchSemaphore(value: 0)
    let isRefused = Mutex(false)
    Thread.detachNewThread {
      let data = try? handle.read(upToCount: 100, at: 0)
      isRefused.withLock { $0 = data == nil }
      ended.signal()
    }
    #expect(eventually { run.asker.questions.count == asked + 1 })
    try run.connect().send(.lock)
    #expect(eventually { told.withLock { $0 } == 2 })
    #expect(ended.wait(timeout: .now()) == .timedOut)
    // Control: the handle was waiting all the time, and its call ends with the answer.
    run.asker.clear("wait")
    #expect(ended.wait(timeout: .now() + 120) == .success)
    #expect(isRefused.withLock { $0 })
  }

  /// While the agent is unlocked, it is asked once for an open file, not for each read.
  @Test func openHandlesDoNotAskAgain() throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    let before = try client.recorded.count
    let handle = try client.files.open(client.path("a"))
    for _ in 0..<10 { _ = try handle.read(upToCount: 100, at: 0) }
    #expect(try client.recorded.count == before + 1)
  }

  @Test func aNewHandleOfClassCompleteIsRefusedAfterALock() throws {
    let client = try FileClient()
    let handle = try client.files.create(client.path("a"), protection: .complete)
    try handle.write(FileClient.contents, at: 0)
    try handle.synchronize()
    try client.lock()
    #expect(client.code { try handle.write(Data("more".utf8), at: 0) } == .locked)
    try client.unlock()
    try handle.write(Data("CONTENTS".utf8), at: 0)
    try handle.close()
    #expect(try client.files.read(client.path("a")) == Data("CONTENTS of the file".utf8))
  }

  @Test(arguments: [FileProtection.completeUnlessOpen, .completeUntilFirstAuthentication])
  func openHandlesOfOtherClassesStayUsable(_ protection: FileProtection) throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: protection)
    let handle = try client.files.open(client.path("a"))
    try client.lock()
    #expect(try handle.read(upToCount: 100, at: 0) == FileClient.contents)
  }

  /// An agent that was killed announces no lock, and its keys are gone all the same.
  @Test func theEndOfTheAgentLocksOpenHandlesOfClassComplete() throws {
    let client = try FileClient()
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    let handle = try client.files.open(client.path("a"))
    try client.restart()
    #expect(client.code { _ = try handle.read(upToCount: 100, at: 0) } == .locked)
    try client.unlock()
    #expect(try handle.read(upToCount: 100, at: 0) == FileClient.contents)
  }

  // MARK: Refusals

  /// Without a grant, a call is not permitted, whether the agent is locked or not.
  @Test(arguments: [FileProtection.complete, .completeUntilFirstAuthentication], [false, true])
  func withoutAGrantNothingIsPermitted(_ protection: FileProtection, isLocked: Bool) throws {
    let client = try FileClient(grant: nil)
    try client.writeDirectly("a", protection)
    if isLocked { try client.lock() }
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .notPermitted)
    #expect(
      client.code { try client.files.write(Data(), to: client.path("b"), protection: protection) }
        == .notPermitted)
    #expect(!FileManager.default.fileExists(atPath: client.path("b").path))
    #expect(
      try Set(client.recorded) == ["wrap-file-key not-permitted", "unwrap-file-key not-permitted"])
  }

  @Test func aGrantForItemsDoesNotCoverFiles() throws {
    let client = try FileClient(group: "mail")
    try client.writeDirectly("a", .complete)
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .notPermitted)
    try client.grant(AgentGrant.filesGroup, mayWrite: false)
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
  }

  @Test func aGrantForAllGroupsIncludesFiles() throws {
    let client = try FileClient(group: AgentGrant.allGroups)
    try client.writeDirectly("a", .complete)
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
  }

  @Test func aGrantForFilesDoesNotCoverItems() throws {
    let client = try FileClient()
    let owner = try Keychain.open(client.keybag, identity: .owner())
    let named = try Keychain.open(client.keybag, identity: ApplicationIdentity("mail"))
    for keychain in [owner, named] {
      #expect(client.code { _ = try keychain.secret(for: AgentRun.mail) } == .notPermitted)
    }
  }

  /// A program with grants for files and for a group adds items to that group.
  @Test func itemsAreNotAddedToTheGroupOfFiles() throws {
    let client = try FileClient()
    try client.grant("mail", mayWrite: true)
    let connection = try client.agent.connect()
    let key = PrimaryKey.genericPassword(service: "new", account: "eva")
    try connection.send(
      .set(key, secret: AgentRun.secret("new"), accessible: .whenUnlocked, groups: []))
    let mail = try Keychain.open(client.keybag, identity: ApplicationIdentity("mail"))
    #expect(try mail.item(for: key).group == "mail")
  }

  /// A question about the items of two groups would not say that one of them stands for files.
  @Test func aClaimDoesNotHideFilesAmongItems() throws {
    let run = try AgentRun(asks: true)
    try run.unlock()
    for groups in [["mail", AgentGrant.filesGroup], [AgentGrant.filesGroup]] {
      #expect(run.refusal(.list(.genericPassword, [:], groups: groups)) == .notPermitted)
    }
    let key = PrimaryKey.genericPassword(
      service: "x", account: "x", group: AgentGrant.filesGroup)
    #expect(run.refusal(.get(key, groups: [])) == .notPermitted)
    #expect(run.asker.questions.isEmpty)
    // Control: without the group, the user is asked.
    #expect(run.refusal(.list(.genericPassword, [:], groups: ["mail"])) == nil)
    #expect(run.asker.questions.count == 1)
  }

  @Test func readingDoesNotPermitWriting() throws {
    let client = try FileClient(grant: false)
    try client.writeDirectly("a", .complete)
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
    #expect(
      client.code { try client.files.write(Data(), to: client.path("b"), protection: .complete) }
        == .notPermitted)
  }

  @Test func aFileOfAnotherStoreIsNotPermitted() throws {
    let client = try FileClient()
    let other = try FileClient()
    try other.writeDirectly("a", .complete)
    #expect(client.code { _ = try client.files.read(other.path("a")) } == .notPermitted)
    // Control: its own store reads it.
    #expect(try other.files.read(other.path("a")) == FileClient.contents)
  }

  /// If another store was put into the folder, the agent wraps no keys for it.
  @Test func aRequestForAnotherStoreIsRefused() throws {
    let client = try FileClient()
    let connection = try client.agent.connect()
    func send(_ store: StoreIdentity) throws {
      try connection.send(
        .fileKey(.wrap(.random(count: 32), under: .complete, file: "f", store: store)))
    }
    let other = try #require(StoreIdentity(text: String(repeating: "0a", count: 16)))
    #expect(client.code { try send(other) } == .otherStore)
    #expect(client.code { try send(client.keybag.identity) } == nil)
  }

  @Test(arguments: [
    FileProtection.complete, .completeUnlessOpen, .completeUntilFirstAuthentication,
  ])
  func aDamagedSlotIsDamaged(_ protection: FileProtection) throws {
    let client = try FileClient()
    let url = client.path("a")
    try client.files.write(FileClient.contents, to: url, protection: protection)
    var bytes = try Data(contentsOf: url)
    let digits = Array(client.keybag.identity.text)
    let store = Data(
      stride(from: 0, to: 32, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! })
    let slot = try #require(bytes.range(of: store))
    // The wrapped key comes after the identity of the store.
    bytes[slot.upperBound + 35] ^= 1
    try bytes.write(to: url)
    #expect(client.code { _ = try client.files.read(url) } == .damaged)
    #expect(try client.recorded.last == "unwrap-file-key damaged")
  }

  // MARK: Records and questions

  @Test func theLogNamesTheFileAndItsClass() throws {
    let client = try FileClient()
    let path = client.path("a").path
    try client.files.write(FileClient.contents, to: client.path("a"), protection: .complete)
    let entries: [AgentLogEntry] = try client.agent.connect().document(.log(count: 1))
    #expect(entries.map(\.subject) == ["class complete, file \(path)"])
    #expect(entries.allSatisfy { $0.process == getpid() && !$0.evidence.isEmpty })
  }

  /// The question names no file, because the agent cannot check the name. One answer is for all.
  @Test func theFirstUseIsAsked() throws {
    let run = try AgentRun(asks: true)
    let claim = try AgentClaim(store: run.location.store, socket: run.socket)
    defer { withExtendedLifetime(claim) {} }
    try run.unlock()
    try run.asker.set("answer", "session\n")
    let files = ProtectedFiles(try run.location.openKeybag())
    let urls = ["a", "b"].map { run.folder.appendingPathComponent($0) }
    for url in urls { try files.write(FileClient.contents, to: url, protection: .complete) }
    for url in urls { #expect(try files.read(url) == FileClient.contents) }
    #expect(run.asker.questions.count == 2)
    let verbs = ["write", "read"]
    for (question, verb) in zip(run.asker.questions, verbs) {
      #expect(question.contains(" asks to \(verb) protected files of the store."))
      #expect(question.contains("includes all protected files of the store,"))
      #expect(urls.allSatisfy { !question.contains($0.path) })
    }
    try run.asker.set("no")
    try run.connect().send(.lock)
    try run.unlock()
    let code = #expect(throws: AtRestError.self) { try files.read(urls[0]) }?.code
    #expect(code == .notPermitted)
  }
}
