import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// Changes a file while no file may grow beyond a limit, as on a full disk. Then the limit is
/// lifted, and the same handle continues.
///
/// The command is `full STORE DEVICE FILE ROOM`. ROOM is the number of bytes by which the file may
/// grow. It writes the result of each step.
struct FullDisk {
  private let store: Store
  private let url: URL
  private let room: UInt64

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 2, let room = UInt64(arguments[1]) else {
      throw Unusable("full STORE DEVICE FILE ROOM")
    }
    self.store = store
    url = URL(fileURLWithPath: arguments[0])
    self.room = room
  }

  func run() throws {
    // The write fails, and the process continues.
    signal(SIGXFSZ, SIG_IGN)
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    let files = ProtectedFiles(keybag).chunked(by: 1_024)
    let before = try files.read(url)
    let handle = try files.open(url, for: .updating)
    try Self.limit(UInt64(Data(contentsOf: url).count) + room)
    answer("write") { try handle.append(Data(repeating: 1, count: 2_048)) }
    answer("synchronize") { try handle.synchronize() }
    let meanwhile = try files.read(url) == before
    say("meanwhile \(meanwhile ? "as before" : "changed")")
    try Self.limit(.max)
    // More than a handle keeps in memory, starting after a last chunk that was full.
    answer("more") { try handle.append(Data(repeating: 2, count: 40 * 1_024)) }
    answer("again") { try handle.synchronize() }
    answer("close") { try handle.close() }
    let after = try files.read(url)
    let expected =
      before + Data(repeating: 1, count: 2_048) + Data(repeating: 2, count: 40 * 1_024)
    say("after \(after == expected ? "all of it" : after == before ? "as before" : "mixed")")
  }

  /// Limits the size of every file that this process writes.
  static func limit(_ size: UInt64) throws {
    var limit = rlimit()
    getrlimit(RLIMIT_FSIZE.number, &limit)
    limit.rlim_cur = size == .max ? limit.rlim_max : rlim_t(size)
    guard setrlimit(RLIMIT_FSIZE.number, &limit) == 0 else { throw Unusable("no limit") }
  }
}

#if canImport(Glibc)
  extension __rlimit_resource {
    fileprivate var number: __rlimit_resource_t { __rlimit_resource_t(rawValue) }
  }
#endif
