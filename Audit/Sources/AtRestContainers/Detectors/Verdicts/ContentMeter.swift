import AtRestFormats

/// Measures bytes as they come, window by window, to tell what kind they are.
///
/// Not thread-safe.
package struct ContentMeter: Sendable {
  /// Bytes of a window.
  private static let windowSize = 4096
  /// With fewer bytes text is chance.
  private static let smallestText = 16

  /// Of all bytes together.
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

  /// The verdict on what has come so far, for a file that claims to be of some type.
  package func verdict(_ type: FileType) -> ContentVerdict {
    var whole = self
    let rest = Entropy(pending)
    // A short rest says little beside whole windows.
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
      // Neither even nor text, but with words in it: a format that is not known here.
      return entropy.count >= 256 && entropy.bits < 7 && entropy.printableShare >= 0.3
        ? .plaintext : .unknown
    default:
      // The head of a known format, and nothing but noise behind it.
      return windows.all >= 3 && windows.random >= windows.all - 1 ? .encrypted : .plaintext
    }
  }
}

extension FileType {
  /// Whether such a file looks like chance because it is packed.
  fileprivate var isPacked: Bool {
    switch self {
    case .zip, .gzip, .lz4, .bzip2, .xz, .sevenZip, .appleLZ4, .lzfse: true
    default: isOpaqueMedia
    }
  }
}
