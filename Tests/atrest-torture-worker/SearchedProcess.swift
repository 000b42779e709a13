import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import CAtRestTracer
import Foundation

/// Uses a store, and waits at certain phases, so its memory and registers can be searched from
/// outside.
///
/// The command is `memory STORE DEVICE LAST COUNT`. The secret of the service LAST is read last.
/// Standard input provides the passcode of 32 bytes, COUNT bytes of needles, and a byte for each
/// phase to continue.
final class SearchedProcess: @unchecked Sendable {
  private let store: Store
  private let arguments: [String]
  private var held: [SecretBox] = []

  init(_ store: Store, _ arguments: [String]) {
    self.store = store
    self.arguments = arguments
  }

  func run() throws {
    guard arguments.count == 2, let count = Int(arguments[1]) else {
      throw Unusable("memory STORE DEVICE LAST COUNT")
    }
    pause("start")
    let passcode = SecretBox(SecretBytes(count: 32) { Self.read(into: $0) })
    try useAndClose(passcode, needles: count)
    pause("released")
    withExtendedLifetime(passcode) {}
  }

  private func useAndClose(_ passcode: SecretBox, needles count: Int) throws {
    let keybag = try store.keybag()
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    // Half of the work happens on a thread that keeps running, with its dead stack and registers
    // untouched.
    let turns = Turns()
    let access = Access(keybag, keychain)
    Thread {
      turns.take {
        try self.use(access.keybag!, access.keychain!, passcode)
        try self.readLast(access.keychain!)
      }
      turns.take {
        try self.readLast(access.keychain!)
        access.end()
      }
      turns.wait()
    }.start()
    try turns.give()
    try use(keybag, keychain, passcode)
    try readLast(keychain)
    try showNeedles(count)
    try turns.give()
    try readLast(keychain)
    held = []
    keybag.lock()
    pause("locked")
    try keybag.unlock(passcode: passcode.bytes)
    try use(keybag, keychain, passcode, writing: true)
    try readLast(keychain)
    held = []
    keychain.close()
    keybag.close()
    pause("closed")
    withExtendedLifetime((keybag, keychain)) {}
  }

  /// The control: while the store is unlocked, every needle is in memory, and the first one in a
  /// register.
  private func showNeedles(_ count: Int) throws {
    let needles = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer { munmap(needles, count) }
    Self.read(into: UnsafeMutableRawBufferPointer(start: needles, count: count))
    let line = StaticString("unlocked\n")
    atrest_pause_holding(
      needles, UnsafeRawPointer(line.utf8Start).assumingMemoryBound(to: CChar.self),
      line.utf8CodeUnitCount)
  }

  /// The command `file-memory STORE DEVICE FILE`. A handle is open across a lock, with chunks in
  /// memory and a change that is not durable yet.
  func run(file: String) throws {
    pause("start")
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    let url = URL(fileURLWithPath: file)
    let handle = try ProtectedFiles(keybag).chunked(by: 1_024).open(url, for: .updating)
    let reader = try ProtectedFiles(keybag).chunked(by: 1_024).open(url)
    try readWhole(handle)
    try readWhole(reader)
    // A thread that reads last and keeps running, with its registers and its dead stack untouched.
    let turns = Turns()
    Thread {
      turns.take { try self.readShortly(reader) }
      turns.wait()
    }.start()
    try turns.give()
    try handle.write([UInt8](repeating: 0, count: 10), at: 3_000)
    pause("unlocked")
    keybag.lock()
    pause("locked")
    withExtendedLifetime((handle, reader)) {}
  }

  private func readWhole(_ handle: ProtectedFileHandle) throws {
    // The destination of the read is erased; the handle's own copy is not erased yet.
    let bytes = try SecretBytes(count: 2_048) { bytes in
      guard try handle.read(into: bytes, at: 0) == 2_048 else { throw Unusable("a short file") }
    }
    _ = bytes.count
  }

  /// Reads a few bytes into memory that is returned to the system, so nothing has to erase it.
  private func readShortly(_ handle: ProtectedFileHandle) throws {
    let room = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer { munmap(room, 4_096) }
    let bytes = UnsafeMutableRawBufferPointer(start: room, count: 32)
    guard try handle.read(into: bytes, at: 100) == 32 else { throw Unusable("a short file") }
  }

  /// The command `forked-writer STORE DEVICE`. It writes the result of a child process that stores
  /// an item in a store that its parent opened, and of the parent's items.
  func runForkedWriter() throws {
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    let before = PrimaryKey.genericPassword(service: "fork", account: "before")
    try keychain.add(before, secret: SecretBytes(utf8: "of the parent"))
    let status = atrest_run_in_fork(
      { context in
        let keychain = Unmanaged<Keychain>.fromOpaque(context!).takeUnretainedValue()
        do {
          try keychain.add(
            .genericPassword(service: "fork", account: "child"),
            secret: SecretBytes(utf8: "of the child"))
        } catch {
          _exit(1)
        }
      }, Unmanaged.passUnretained(keychain).toOpaque())
    say("child: \(status & 0x7f != 0 ? "ended by a signal" : "exit \(status >> 8)")")
    keychain.close()
    let again = try Keychain.open(keybag, identity: Store.identity)
    let secret = try again.secret(for: before)
    let isKept = secret.withUnsafeBytes { $0.elementsEqual("of the parent".utf8) }
    say(
      "parent: \(isKept ? "kept" : "lost"), \(try again.items(matching: KeychainQuery(.genericPassword, [.service: "fork"])).count) item"
    )
    again.close()
  }

  /// The command `forked STORE DEVICE`. It writes which secret and ordinary memory a child process
  /// has.
  func runForked() throws {
    let secret = SecretBytes(utf8: "sixteen bytes ok")
    let long = SecretBytes(count: 200_000) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
    let ordinary = [UInt8](repeating: 7, count: 16)
    var copies = [UInt8](repeating: 1, count: 48)
    let result = secret.withUnsafeBytes { secret in
      long.withUnsafeBytes { long in
        ordinary.withUnsafeBytes { ordinary in
          atrest_read_in_fork(
            [secret.baseAddress!, long.baseAddress! + 100_000, ordinary.baseAddress!], 3, 16,
            &copies)
        }
      }
    }
    guard result == 0 else { throw Unusable("no child") }
    for (index, name) in ["secret", "long secret", "ordinary"].enumerated() {
      let copy = copies[16 * index..<16 * index + 16]
      say("\(name): \(copy.allSatisfy { $0 == 0 } ? "zeros" : "copied")")
    }
    let isKept = secret.withUnsafeBytes { $0.elementsEqual("sixteen bytes ok".utf8) }
    say("parent: \(isKept ? "kept" : "lost")")
  }

  // MARK: Use of the store

  private func use(
    _ keybag: Keybag, _ keychain: Keychain, _ passcode: SecretBox, writing: Bool = false
  ) throws {
    try keybag.unlock(passcode: passcode.bytes)
    try keybag.verify(passcode: passcode.bytes)
    for item in try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true) {
      held.append(SecretBox(try keychain.secret(for: item.primaryKey)))
      held.append(SecretBox(try keychain.secret(for: item.reference)))
      // The same secret, sealed again under an item key that no needle names.
      guard writing else { continue }
      try keychain.update(item.primaryKey, secret: held.last!.bytes)
      try keychain.update(item.primaryKey, ItemChange(attributes: [.label: "changed"]))
    }
  }

  /// Reads the secret of the strictest class that has the length of this run.
  private func readLast(_ keychain: Keychain) throws {
    held.append(
      SecretBox(
        try keychain.secret(for: .genericPassword(service: arguments[0], account: "4"))))
  }

  private static func read(into bytes: UnsafeMutableRawBufferPointer) {
    var count = 0
    while count < bytes.count {
      let more = Foundation.read(0, bytes.baseAddress! + count, bytes.count - count)
      if more <= 0 { exit(3) }
      count += more
    }
  }

  private func pause(_ phase: StaticString) {
    // One line with one call, without a copy.
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { line in
      let count = phase.utf8CodeUnitCount
      for index in 0..<count { line[index] = phase.utf8Start[index] }
      line[count] = 10
      atrest_pause(line.baseAddress!.assumingMemoryBound(to: CChar.self), count + 1)
    }
  }
}

/// The objects that a running thread uses and releases.
private final class Access: @unchecked Sendable {
  private(set) var keybag: Keybag?
  private(set) var keychain: Keychain?

  init(_ keybag: Keybag, _ keychain: Keychain) {
    self.keybag = keybag
    self.keychain = keychain
  }

  func end() { (keybag, keychain) = (nil, nil) }
}

/// Work on another thread, in turns.
private final class Turns: @unchecked Sendable {
  private let begin = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  func wait() { begin.wait() }

  /// Runs a closure in the turn of the other thread, which calls this.
  func take(_ work: () throws -> Void) {
    begin.wait()
    do { try work() } catch { failure = error }
    done.signal()
  }

  /// Gives the other thread its turn, and waits until it ends.
  func give() throws {
    begin.signal()
    done.wait()
    if let failure { throw failure }
  }
}
