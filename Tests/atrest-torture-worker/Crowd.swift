import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// Adds items with several threads at the same time, until it is killed or no file may grow any more.
///
/// The command is `crowd STORE DEVICE [ROOM]`. ROOM is the number of bytes by which the largest file of the
/// store may grow. It writes `do NAME` before each item, `done NAME` after the call returned, and `failed
/// NAME CODE` if the call threw, which ends the thread. The secret of an item is its name.
struct Crowd {
  private static let threads = 8

  private let store: Store
  private let room: UInt64?

  init(_ store: Store, _ arguments: [String]) throws {
    self.store = store
    room = arguments.first.flatMap { UInt64($0) }
  }

  func run() throws {
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    say("ready")
    if let room {
      signal(SIGXFSZ, SIG_IGN)
      let files = try FileManager.default.contentsOfDirectory(
        at: store.folder, includingPropertiesForKeys: [.fileSizeKey])
      let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
      try FullDisk.limit(UInt64(sizes.max() ?? 0) + room)
    }
    let group = DispatchGroup()
    for thread in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        Self.add(thread, to: keychain)
        group.leave()
      }
    }
    group.wait()
  }

  private static func add(_ thread: Int, to keychain: Keychain) {
    for number in 0... {
      let name = "\(thread)-\(number)"
      say("do \(name)")
      do {
        try keychain.add(
          .genericPassword(service: "crowd", account: name), secret: SecretBytes(utf8: name))
      } catch {
        return say("failed \(name) \((error as? AtRestError)?.code.rawValue ?? "\(error)")")
      }
      say("done \(name)")
    }
  }
}
