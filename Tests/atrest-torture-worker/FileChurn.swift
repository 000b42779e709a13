import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Crypto
import Foundation

/// Writes, changes and rewraps files until it is killed.
///
/// The command is `files STORE DEVICE FOLDER SEED`. It writes `do N VERB NAME HASH` before each
/// step and `done N` after it returned. HASH is the SHA-256 of the contents that the file then has.
struct FileChurn {
  /// A text that occurs several times in all contents, and must not be found in any file.
  private static let needle = Array("this is what nobody may find".utf8)

  private let store: Store
  private let folder: URL
  private var generator: SplitMix
  private var contents: [String: Data] = [:]

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 2, let seed = UInt64(arguments[1]) else {
      throw Unusable("files STORE DEVICE FOLDER SEED")
    }
    self.store = store
    folder = URL(fileURLWithPath: arguments[0])
    generator = SplitMix(seed)
  }

  mutating func run() throws {
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    // The chunks are small, so a change consists of many.
    let files = ProtectedFiles(keybag).chunked(by: 1_024)
    for name in ["a", "b", "c"] {
      do { contents[name] = try files.read(url(name)) } catch AtRestError.Code.notFound {}
    }
    say("ready")
    var number = 0
    while true {
      let name = ["a", "b", "c"][generator.below(3)]
      let place = url(name)
      let choice = contents[name] == nil ? 0 : generator.below(10)
      switch choice {
      case 0, 1:
        let data = bytes(generator.below(60_000))
        try step(&number, "write", name, data) { try files.write(data, to: place) }
      case 2, 3:
        let protection = FileProtection.allCases[generator.below(4)]
        try step(&number, "reprotect", name, contents[name] ?? Data()) {
          try files.setProtection(protection, of: place)
        }
      default:
        let handle = try files.open(place, for: .updating)
        for _ in 0...generator.below(4) {
          var data = contents[name] ?? Data()
          for _ in 0...generator.below(5) { try change(&data, handle) }
          try step(&number, "change", name, data) { try handle.synchronize() }
        }
        try handle.close()
      }
    }
  }

  private mutating func change(_ data: inout Data, _ handle: ProtectedFileHandle) throws {
    let offset = generator.below(data.count + 2_000)
    if generator.below(5) == 0 {
      try handle.truncate(to: UInt64(offset))
      if offset < data.count { data = Data(data.prefix(offset)) }
      data.append(Data(count: offset - data.count))
      return
    }
    // Some changes are larger than a handle keeps in memory.
    let piece = bytes(1 + generator.below(generator.below(4) == 0 ? 40_000 : 3_000))
    try handle.write(piece, at: UInt64(offset))
    data.append(Data(count: max(0, offset - data.count)))
    data.replaceSubrange(offset..<min(data.count, offset + piece.count), with: piece)
  }

  private mutating func step(
    _ number: inout Int, _ verb: String, _ name: String, _ data: Data, _ body: () throws -> Void
  ) throws {
    let hash = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    say("do \(number) \(verb) \(name) \(hash)")
    try body()
    say("done \(number)")
    contents[name] = data
    number += 1
  }

  private func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  private mutating func bytes(_ count: Int) -> Data {
    var data = Data()
    data.reserveCapacity(count + 64)
    while data.count < count {
      data.append(contentsOf: Self.needle)
      withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) }
    }
    return Data(data.prefix(count))
  }
}
