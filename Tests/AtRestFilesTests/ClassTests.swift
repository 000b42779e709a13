import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// The operations that each class allows in each state of the store: success, or exactly `.locked`.
@Suite struct ClassTests {
  enum State: CaseIterable { case beforeFirstUnlock, unlocked, locked, unlockedAgain, closed }

  private static func keybag(_ folder: TestFolder, in state: State) throws -> Keybag {
    let keybag = try folder.openedAnew()
    let passcode = SecretBytes(utf8: "1234")
    if state == .beforeFirstUnlock { return keybag }
    try keybag.unlock(passcode: passcode)
    switch state {
    case .locked: keybag.lock()
    case .unlockedAgain:
      keybag.lock()
      try keybag.unlock(passcode: passcode)
    case .closed: keybag.close()
    default: break
    }
    return keybag
  }

  private static func opens(_ protection: FileProtection, in state: State) -> Bool {
    switch state {
    case .unlocked, .unlockedAgain: true
    case .closed: false
    case .beforeFirstUnlock: protection == .none
    case .locked: protection == .none || protection == .completeUntilFirstAuthentication
    }
  }

  private static func makes(_ protection: FileProtection, in state: State) -> Bool {
    state != .closed && protection == .completeUnlessOpen || opens(protection, in: state)
  }

  @Test(arguments: FileProtection.allCases, State.allCases) func filesOpenAndAreMade(
    _ protection: FileProtection, _ state: State
  ) throws {
    let folder = try TestFolder()
    try folder.files.write(Data("old".utf8), to: folder.path("a"), protection: protection)
    let keybag = try Self.keybag(folder, in: state)
    let files = ProtectedFiles(keybag)
    let opening: AtRestError.Code? = Self.opens(protection, in: state) ? nil : .locked
    let making: AtRestError.Code? = Self.makes(protection, in: state) ? nil : .locked
    #expect(refusal { try files.open(folder.path("a")) } == opening)
    #expect(refusal { try files.open(folder.path("a"), for: .updating) } == opening)
    #expect(refusal { try files.read(folder.path("a")) } == opening)
    #expect(refusal { try files.verify(folder.path("a")) } == opening)
    #expect(
      refusal { try files.unprotect(.file(folder.path("a")), to: .file(folder.path("p"))) }
        == opening)
    #expect(
      refusal { try files.write(Data("new".utf8), to: folder.path("b"), protection: protection) }
        == making)
    #expect(
      refusal {
        let handle = try files.create(folder.path("c"), protection: protection)
        try handle.append(Data("new".utf8))
        try handle.close()
      } == making)
    // The change is to a class that is available, and from one that is not.
    #expect(
      refusal { try files.setProtection(.none, of: folder.path("a")) } == opening)
    let names = ["a"] + (making == nil ? ["b", "c"] : []) + (opening == nil ? ["p"] : [])
    #expect(folder.names == names)
    // No file was harmed.
    #expect(try folder.files.read(folder.path("a")) == Data("old".utf8))
    if making == nil {
      #expect(try folder.files.read(folder.path("b")) == Data("new".utf8))
      #expect(try folder.files.read(folder.path("c")) == Data("new".utf8))
    }
  }

  @Test(arguments: FileProtection.allCases) func reprotectionNeedsTheNewClass(
    _ protection: FileProtection
  ) throws {
    let folder = try TestFolder()
    try folder.files.write(Data("x".utf8), to: folder.path("a"), protection: FileProtection.none)
    folder.keybag.lock()
    let expected: AtRestError.Code? = protection == .complete ? .locked : nil
    #expect(
      refusal { try folder.files.setProtection(protection, of: folder.path("a")) } == expected)
    try folder.unlock()
    #expect(try folder.files.read(folder.path("a")) == Data("x".utf8))
    #expect(
      try FileDescription(of: folder.path("a")).protection
        == (protection == .complete ? FileProtection.none : protection))
  }

  @Test(arguments: FileProtection.allCases) func handlesThatAreOpenAtALock(
    _ protection: FileProtection
  ) throws {
    let folder = try TestFolder()
    let old = TestFolder.bytes(5_000)
    try folder.files.write(old, to: folder.path("a"), protection: protection)
    try folder.files.write(old, to: folder.path("b"), protection: protection)
    let reader = try folder.files.open(folder.path("a"))
    let writer = try folder.files.open(folder.path("b"), for: .updating)
    #expect(try reader.readToEnd() == old)
    try writer.write(Data("before".utf8), at: 100)
    try writer.append(TestFolder.bytes(50_000))
    folder.keybag.lock()
    let locked: AtRestError.Code? = protection == .complete ? .locked : nil
    #expect(refusal { try reader.read(upToCount: 10, at: 0) } == locked)
    #expect(refusal { try reader.size() } == locked)
    #expect(refusal { try writer.read(upToCount: 10, at: 0) } == locked)
    #expect(refusal { try writer.write(Data("while".utf8), at: 200) } == locked)
    #expect(refusal { try writer.truncate(to: 10_000) } == locked)
    #expect(refusal { try writer.synchronize() } == locked)
    try folder.unlock()
    #expect(try reader.read(upToCount: 10, at: 0) == old.prefix(10))
    #expect(try writer.size() == (locked == nil ? 10_000 : 55_000))
    try writer.write(Data("after".utf8), at: 300)
    try writer.close()
    var expected = old + TestFolder.bytes(50_000)
    expected.replaceSubrange(100..<106, with: Data("before".utf8))
    expected.replaceSubrange(300..<305, with: Data("after".utf8))
    if locked == nil {
      expected.replaceSubrange(200..<205, with: Data("while".utf8))
      expected = expected.prefix(10_000)
    }
    #expect(try folder.files.read(folder.path("b")) == expected)
    #expect(folder.names == ["a", "b"])
  }

  @Test(arguments: FileProtection.allCases) func noHandleOutlivesTheStore(
    _ protection: FileProtection
  ) throws {
    let folder = try TestFolder()
    try folder.files.write(Data("old".utf8), to: folder.path("a"), protection: protection)
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.append(Data("lost".utf8))
    folder.keybag.close()
    #expect(refusal { try handle.read(upToCount: 1, at: 0) } == .locked)
    #expect(refusal { try handle.close() } == .locked)
    let again = ProtectedFiles(try Self.keybag(folder, in: .unlocked))
    #expect(try again.read(folder.path("a")) == Data("old".utf8))
    #expect(folder.names == ["a"])
  }

  @Test func aClassBFileMadeWhileLockedWaitsForTheUnlock() throws {
    let folder = try TestFolder()
    folder.keybag.lock()
    let handle = try folder.files.create(folder.path("a"), protection: .completeUnlessOpen)
    try handle.append(TestFolder.bytes(40_000))
    try handle.synchronize()
    // The handle reads what it wrote; nobody else can.
    #expect(try handle.read(upToCount: 100, at: 0) == TestFolder.bytes(100))
    #expect(refusal { try folder.files.open(folder.path("a")) } == .locked)
    try handle.close()
    #expect(refusal { try folder.files.open(folder.path("a")) } == .locked)
    try folder.unlock()
    #expect(try folder.files.read(folder.path("a")) == TestFolder.bytes(40_000))
  }

  @Test func aWriterLetGoOfWhileLockedLeavesTheFileAsItWas() throws {
    let folder = try TestFolder()
    try folder.files.write(Data("old".utf8), to: folder.path("a"), protection: .complete)
    do {
      let handle = try folder.files.open(folder.path("a"), for: .updating)
      try handle.append(TestFolder.bytes(30_000))
      folder.keybag.lock()
    }
    try folder.unlock()
    #expect(try folder.files.read(folder.path("a")) == Data("old".utf8))
    #expect(folder.names == ["a"])
  }
}
