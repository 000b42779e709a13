import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization
import Testing

/// Waiting for a lock always ends, and a lock is always a regular file.
@Suite struct LockTests {
  @Test func aLockThatIsHeldElsewhereIsBusy() throws {
    let folder = TemporaryFolder()
    let held = FolderStorage(folder.url)
    let waiting = FolderStorage(folder.url, patience: .zero)
    try held.exclusively {
      #expect(refusal { try waiting.exclusively {} } == .busy)
    }
    // Control: once the lock is free, it is taken at once.
    try waiting.exclusively {}
  }

  /// A child process has the descriptors of its parent until it executes its program. The lock of a
  /// file that the parent has closed would last as long.
  @Test func aChildProcessHoldsNoLock() throws {
    let folder = TemporaryFolder()
    let storage = FolderStorage(folder.url)
    let waiting = FolderStorage(folder.url, patience: .zero)
    let isEnding = Atomic(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isEnding.load(ordering: .relaxed) {
        var child = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        if posix_spawn(&child, "/bin/true", nil, nil, &words, environ) == 0 {
          waitpid(child, nil, 0)
        }
        free(words[0])
      }
      ended.signal()
    }
    for _ in 0..<20_000 {
      try storage.exclusively {}
      try waiting.exclusively {}
    }
    isEnding.store(true, ordering: .relaxed)
    ended.wait()
  }

  /// After a lock file is removed while a thread waits for it, that thread must not hold it while
  /// others lock the new file. Whether the thread is already waiting is chance, so there are many
  /// rounds.
  @Test func aLockFileThatWasRemovedMeanwhileIsOpenedAnew() async throws {
    let folder = TemporaryFolder()
    let file = folder.url.appendingPathComponent("lock")
    let (held, waiting) = (FolderStorage(folder.url), FolderStorage(folder.url))
    let last = FolderStorage(folder.url, patience: .zero)
    for _ in 0..<50 {
      let waiter = try held.exclusively {
        let waiter = Task.detached {
          try waiting.exclusively {
            // The lock is that of the file which other threads find.
            #expect(refusal { try last.exclusively {} } == .busy)
          }
        }
        for _ in 0..<Int.random(in: 0..<50) { sched_yield() }
        try FileManager.default.removeItem(at: file)
        return waiter
      }
      try await waiter.value
    }
  }

  @Test func aStoreWhoseLockIsHeldIsBusy() throws {
    let folder = TemporaryFolder()
    let store = folder.url.appendingPathComponent("store")
    let device = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device"))
    let keybag = try Keybag.create(
      at: store, device: device, passcode: SecretBytes(utf8: "1234"), options: .forTesting())
    let impatient = try Keybag.open(
      in: FolderStorage(store, patience: .zero), device: device)
    try FolderStorage(store).exclusively {
      #expect(refusal { try impatient.change("1234", "5678") } == .busy)
      // Opening and unlocking replace no file of the store.
      try Keybag.open(at: store, device: device).unlock("1234")
    }
    #expect(try keybag.failedAttempts() == 0)
    try impatient.change("1234", "5678")
  }

  @Test func aDeviceWhoseLockIsHeldIsBusy() throws {
    let folder = TemporaryFolder()
    let store = folder.url.appendingPathComponent("store")
    let devices = folder.url.appendingPathComponent("device")
    let device = try FileDeviceKey.openOrCreate(in: devices)
    let keybag = try Keybag.create(
      at: store, device: device, passcode: SecretBytes(utf8: "1234"), options: .forTesting())
    let impatient = try Keybag.open(
      at: store, device: FileDeviceKey(in: devices, patience: .zero))
    try device.exclusively("\(keybag.identity).keybag") {
      #expect(refusal { try impatient.unlock("1234") } == .busy)
    }
    try impatient.unlock("1234")
    // Another store on the same device does not wait.
    try device.exclusively("00000000000000000000000000000000.keybag") {
      try impatient.unlock("1234")
    }
  }

  @Test func aLinkInPlaceOfALockMakesNoFile() throws {
    let folder = TemporaryFolder()
    let store = folder.url.appendingPathComponent("store")
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    let target = folder.path("target")
    #expect(symlink(target, store.appendingPathComponent("lock").path) == 0)
    #expect(refusal { try FolderStorage(store).exclusively {} } == .damaged)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func aPipeInPlaceOfALockIsDamage() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    #expect(mkfifo(folder.path("lock"), 0o600) == 0)
    #expect(refusal { try FolderStorage(folder.url).exclusively {} } == .damaged)
  }

  @Test(arguments: ["store/keybag", "device/ID.keybag"])
  func aPipeInPlaceOfAFileIsDamage(_ file: String) throws {
    let folder = TemporaryFolder()
    let store = folder.url.appendingPathComponent("store")
    let device = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device"))
    let keybag = try Keybag.create(at: store, device: device, options: .forTesting())
    let path = folder.path(file.replacingOccurrences(of: "ID", with: keybag.identity.text))
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    #expect(refusal { try Keybag.open(at: store, device: device) } == .damaged)
  }
}
