import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation

/// Uses a store, and searches this process's memory for what must not be left of that.
///
/// `memory STORE DEVICE NEEDLES`: NEEDLES holds lines of `NAME HEX HEX`, a mask and the needle
/// under the mask, so that the search itself brings no needle into memory. The passcode comes by
/// standard input. Says `found PHASE NAME COUNT` for each needle that is found in a phase.
final class MemorySearch: @unchecked Sendable {
  private struct Needle {
    let name: String
    let mask: [UInt8]
    let masked: [UInt8]
  }

  private let store: Store
  private let needles: [Needle]
  private var held: [SecretBox] = []

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 1 || arguments.count == 2 else {
      throw Unusable("memory STORE DEVICE NEEDLES")
    }
    self.store = store
    needles = try String(contentsOfFile: arguments[0], encoding: .utf8).split(separator: "\n")
      .map { line in
        let words = line.split(separator: " ").map(String.init)
        return Needle(name: words[0], mask: Self.bytes(words[1]), masked: Self.bytes(words[2]))
      }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  func run() throws {
    search("start")
    let keybag = try store.keybag()
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    let passcode = SecretBox(
      SecretBytes(count: 32) { bytes in
        var count = 0
        while count < 32 {
          let more = read(0, bytes.baseAddress! + count, 32 - count)
          if more <= 0 { exit(3) }
          count += more
        }
      })
    // Half of the work happens on a thread that lives on, with its dead stack untouched.
    let work = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failure: (any Error)?
    Thread {
      work.wait()
      do { try self.use(keybag, keychain, passcode) } catch { failure = error }
      done.signal()
      work.wait()
    }.start()
    work.signal()
    done.wait()
    if let failure { throw failure }
    try use(keybag, keychain, passcode)
    search("unlocked")
    held = []
    keybag.lock()
    search("locked")
    try keybag.unlock(passcode: passcode.bytes)
    try use(keybag, keychain, passcode, writing: true)
    held = []
    keychain.close()
    keybag.close()
    search("closed")
    // Control: every needle is found where it does lie in memory.
    let bare = needles.map { needle in
      SecretBox(
        SecretBytes(count: needle.mask.count) { bytes in
          for index in 0..<bytes.count {
            bytes[index] = needle.mask[index] ^ needle.masked[index]
          }
        })
    }
    search("control")
    withExtendedLifetime(bare) {}
    withExtendedLifetime(passcode) {}
  }

  /// `file-memory STORE DEVICE NEEDLES FILE`: a handle is open over a lock, with chunks in memory and
  /// a change that is not yet durable.
  func run(file: String) throws {
    search("start")
    let keybag = try store.keybag()
    try keybag.unlock(passcode: Store.passcode)
    let url = URL(fileURLWithPath: file)
    let handle = try ProtectedFiles(keybag).chunked(by: 1_024).open(url, for: .updating)
    let reader = try ProtectedFiles(keybag).chunked(by: 1_024).open(url)
    try readWhole(handle)
    try readWhole(reader)
    try handle.write([UInt8](repeating: 0, count: 10), at: 3_000)
    search("unlocked")
    keybag.lock()
    search("locked")
    withExtendedLifetime((handle, reader)) {}
  }

  private func readWhole(_ handle: ProtectedFileHandle) throws {
    // What it is read into is erased; what the handle keeps is not yet.
    let bytes = try SecretBytes(count: 2_048) { bytes in
      guard try handle.read(into: bytes, at: 0) == 2_048 else { throw Unusable("a short file") }
    }
    _ = bytes.count
  }

  private func use(
    _ keybag: Keybag, _ keychain: Keychain, _ passcode: SecretBox, writing: Bool = false
  ) throws {
    try keybag.unlock(passcode: passcode.bytes)
    try keybag.verify(passcode: passcode.bytes)
    for item in try keychain.items(matching: Query(.genericPassword), secrets: true) {
      held.append(SecretBox(try keychain.secret(for: item.primaryKey)))
      held.append(SecretBox(try keychain.secret(for: item.reference)))
      // The same secret sealed anew, under an item key that no needle names.
      guard writing else { continue }
      try keychain.update(item.primaryKey, secret: held.last!.bytes)
      try keychain.update(item.primaryKey, ItemChange(attributes: [.label: "changed"]))
    }
  }

  // MARK: Searching

  private func search(_ phase: String) {
    for (name, places) in places(of: needles).sorted(by: { $0.key < $1.key }) {
      say("found \(phase) \(name) \(places.count) \(Set(places).sorted().joined(separator: ","))")
    }
    say("searched \(phase)")
  }

  private func places(of wanted: [Needle]) -> [String: [String]] {
    // Two bytes of each needle under one common mask decide first.
    var found: [String: [String]] = [:]
    var filter = [Bool](repeating: false, count: 65_536)
    let first = needles[0].mask
    for needle in wanted {
      let low = needle.masked[0] ^ needle.mask[0] ^ first[0]
      let high = needle.masked[1] ^ needle.mask[1] ^ first[1]
      filter[Int(low) << 8 | Int(high)] = true
    }
    guard let memory = fopen("/proc/self/mem", "r"), let maps = Self.maps() else {
      return ["unreadable": ["/proc/self"]]
    }
    defer { fclose(memory) }
    let size = 1 << 20
    let overlap = 64
    let buffer = mmap(
      nil, size + overlap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer { munmap(buffer, size + overlap) }
    let own = UInt(bitPattern: buffer)
    for line in maps.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      // What is not writable holds nothing that this process wrote.
      guard words[1].hasPrefix("rw"), ends.count == 2 else { continue }
      let name = words.count > 5 ? String(words[5].split(separator: "/").last!) : "anonymous"
      var start = ends[0]
      while start < ends[1] {
        if start >= own && start < own + UInt(size + overlap) {
          start = own + UInt(size + overlap)
          continue
        }
        var limit = min(ends[1], start + UInt(size + overlap))
        if start < own && limit > own { limit = own }
        let count = pread(fileno(memory), buffer, Int(limit - start), off_t(start))
        guard count > 0 else { break }
        scan(buffer.assumingMemoryBound(to: UInt8.self), count, first, filter, wanted) {
          found[$0, default: []].append(name)
        }
        if limit == ends[1] || limit == own {
          start = limit
        } else {
          start += UInt(size)
        }
      }
    }
    return found
  }

  /// The kernel gives a page at a time and no size, so the file is read to its end.
  private static func maps() -> String? {
    let file = open("/proc/self/maps", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &page, page.count)
      if count <= 0 { return String(decoding: text, as: UTF8.self) }
      text += page[0..<count]
    }
  }

  private func scan(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ first: [UInt8], _ filter: [Bool],
    _ wanted: [Needle], _ hit: (String) -> Void
  ) {
    filter.withUnsafeBufferPointer { filter in
      let low = first[0]
      let high = first[1]
      var index = 0
      while index < count - 1 {
        defer { index += 1 }
        guard filter[Int(bytes[index] ^ low) << 8 | Int(bytes[index + 1] ^ high)] else {
          continue
        }
        for needle in wanted where index + needle.mask.count <= count {
          var matched = 0
          while matched < needle.mask.count,
            bytes[index + matched] ^ needle.mask[matched] == needle.masked[matched]
          {
            matched += 1
          }
          if matched == needle.mask.count { hit(needle.name) }
        }
      }
    }
  }
}
