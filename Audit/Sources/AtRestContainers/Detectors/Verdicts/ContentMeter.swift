import AtRestFormats

/// Measures bytes as they arrive, window by window, to determine what kind they are.
///
/// Not thread-safe.
package struct ContentMeter: Sendable {
  /// The size of a window in bytes.
  static let windowSize = 4096
  /// The minimum number of bytes. In fewer bytes, text may be a coincidence.
  private static let smallestText = 16

  /// The entropy of all bytes together.
  package private(set) var entropy = Entropy()
  private var pending: [UInt8] = []
  private var windows = (all: 0, random: 0, text: 0, encoded: 0)

  package init() {}

  package mutating func add(_ bytes: [UInt8]) {
    var start = 0
    if !pending.isEmpty {
      start = min(Self.windowSize - pending.count, bytes.count)
      pending += bytes[..<start]
      guard pending.count == Self.windowSize else { return }
      count(Entropy(pending))
      pending = []
    }
    while bytes.count - start >= Self.windowSize {
      count(Entropy(bytes[start..<start + Self.windowSize]))
      start += Self.windowSize
    }
    pending += bytes[start...]
  }

  private mutating func count(_ window: Entropy) {
    entropy.add(window)
    windows.all += 1
    if window.isRandom {
      windows.random += 1
    } else if window.isText {
      if window.isEncoded { windows.encoded += 1 } else { windows.text += 1 }
    }
  }

  /// The verdict on the bytes so far, for a file that claims to be of a type.
  package func verdict(_ type: FileType) -> ContentVerdict {
    var whole = self
    let rest = Entropy(pending)
    // A short rest says little compared with whole windows.
    if windows.all == 0 || rest.count >= 1024 {
      whole.count(rest)
    } else {
      whole.entropy.add(rest)
    }
    return whole.judge(type)
  }

  private func judge(_ type: FileType) -> ContentVerdict {
    func share(_ part: Int) -> Double { Double(part) / Double(max(1, windows.all)) }
    if type.isPacked { return .compressed }
    guard entropy.count >= Self.smallestText else { return .unknown }
    switch type {
    case .unknown, .text, .empty:
      if share(windows.random) >= 0.9 { return .encrypted }
      if share(windows.encoded) >= 0.9 { return .encoded }
      if share(windows.text + windows.encoded) >= 0.95 { return .plaintext }
      // The bytes are neither uniform nor text, but contain words: an unknown format.
      return entropy.count >= 256 && entropy.bits < 7 && entropy.printableShare >= 0.3
        ? .plaintext : .unknown
    default:
      // The file has the head of a known format, and only noise after it.
      return windows.all >= 3 && windows.random >= windows.all - 1 ? .encrypted : .plaintext
    }
  }
}

extension FileType {
  /// True if such a file looks random because it is compressed.
  fileprivate var isPacked: Bool {
    switch self {
    case .zip, .gzip, .lz4, .bzip2, .xz, .lzma, .zstd, .sevenZip, .appleLZ4, .lzfse: true
    default: isOpaqueMedia
    }
  }
}
