#if !canImport(Darwin)
  @_spi(Tools) import AtRestCrypto
  import AtRestKeybag

  /// A read or a write of a file or folder.
  struct FileAccess: Sendable {
    enum Kind: Sendable {
      case reading(NSFileCoordinator.ReadingOptions)
      case writing(NSFileCoordinator.WritingOptions)
    }

    let url: URL
    let kind: Kind
    /// The place of the item, to which no link leads.
    let path: String

    init(_ url: URL, _ kind: Kind) {
      path = RealPath.of(url)
      self.kind = kind
      if case .reading(let options) = kind, options.contains(.resolvesSymbolicLink) {
        self.url = URL(fileURLWithPath: path)
      } else {
        self.url = url
      }
    }

    private var isWriting: Bool { if case .writing = kind { true } else { false } }

    /// True if neither waits for the other, nor asks presenters: only metadata that the contents do not change.
    var isOfMetadata: Bool {
      switch kind {
      case .reading(let options): options.contains(.immediatelyAvailableMetadataOnly)
      case .writing(let options): options.contains(.contentIndependentMetadataOnly)
      }
    }

    /// True if the two cannot happen at the same time: one of them writes, and one item is the other or contains it.
    func excludes(_ other: FileAccess) -> Bool {
      (isWriting || other.isWriting) && !isOfMetadata && !other.isOfMetadata
        && (contains(other.path) || other.contains(path))
    }

    /// True if a path is that of the item, or of an item in it.
    func contains(_ other: String) -> Bool { SystemPath.isPath(other, in: path) }
  }
#endif
