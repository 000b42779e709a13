#if !canImport(Darwin)
  import AtRestCrypto
  import AtRestFiles
  import AtRestKeybag
  import AtRestKeychain
  import Synchronization

  /// Where a call of Foundation's reads or writes, as far as protection is concerned.
  struct ProtectedPlace {
    let url: URL

    init(_ url: URL) { self.url = url }
    init(_ path: String) { url = URL(fileURLWithPath: path) }

    /// Whether a protected file is there. False where that cannot be seen: Foundation fails there.
    var isProtected: Bool {
      // Not by opening alone, which a pipe's other end would notice.
      url.isFileURL && FileStatus.at(url.path)?.isRegular == true
        && (try? ProtectedFiles.isProtected(url)) == true
    }

    /// The contents of a protected file, or nil where there is none.
    func protectedContents() throws -> Data? {
      isProtected ? try Self.files().files.read(url) : nil
    }

    /// The class in which a file is written that asks for none: that of the protected file which it
    /// replaces, as the class stays with a file on iOS; nil where there is no such file.
    ///
    /// - Throws: ``AtRestError/Code/notPermitted`` where another store, a passphrase or recipients
    ///   protect that file; ``AtRestError/Code/damaged`` where it does not open, so that its class is
    ///   anybody's claim.
    func inheritedProtection() throws -> FileProtection? {
      guard isProtected else { return nil }
      let (files, keybag) = try Self.files()
      let store = keybag.store.bytes.hexadecimal
      let readers = try FileDescription(of: url).readers
      guard let protection = readers.lazy.first(where: { $0.store == store })?.protection else {
        throw AtRestError(
          .notPermitted, "\(url.path) is protected, but not by this store.",
          remedy: "Delete it first, or write it with ProtectedFiles and the keys that protect it.")
      }
      do {
        // Anybody who can write to the file can name a weaker class in its header.
        try files.open(url, requiring: protection).close()
      } catch AtRestError.Code.locked where protection == .completeUnlessOpen {
        // Written while locked, and read by nobody then: no weaker than what it may have been.
      }
      return protection
    }

    /// Writes where a class is asked for or inherited, and says whether it was.
    func write(_ data: Data, _ options: Data.WritingOptions) throws -> Bool {
      var protection = try ProtectedFiles.protection(options)
      // One that is not to be overwritten is refused by whoever writes.
      if protection == nil, !options.contains(.withoutOverwriting) {
        protection = try inheritedProtection()
      }
      guard let protection else { return false }
      guard url.isFileURL else {
        throw AtRestError.invalid(
          "\(url) is no file, which alone can be protected.", remedy: "Give a file URL.")
      }
      let overwriting = options.intersection(.withoutOverwriting)
      try Self.files().files.write(data, to: url, options: overwriting, protection: protection)
      return true
    }

    /// Moves what is there to a class: a protected file's key, or a plain file whole.
    func setProtection(_ protection: FileProtection) throws {
      let files = try Self.files().files
      if let status = FileStatus.at(url.path), status.isFolder {
        throw Self.refusalOfFolder(url.path)
      }
      guard !isProtected else { return try files.setProtection(protection, of: url) }
      guard FileStatus.at(url.path)?.links ?? 1 == 1 else {
        throw AtRestError.invalid(
          "\(url.path) has several hard links, and would stay readable under the others.",
          remedy: "Delete the other links, or copy the file and protect the copy.")
      }
      try files.protect(.file(url), to: .file(url, replacing: true), protection: protection)
    }

    static func refusalOfFolder(_ path: String) -> AtRestError {
      .invalid(
        "The folder \(path) cannot have a protection class.",
        remedy: "Leave .protectionKey out, and give the class to each file in it.")
    }

    // MARK: The keys

    private struct Opened: Sendable {
      weak let keybag: Keybag?
      let files: ProtectedFiles
    }
    private static let last = Mutex<Opened?>(nil)

    /// The files of the keychain of calls that name none, kept since each one watches the lock.
    private static func files() throws -> (files: ProtectedFiles, keybag: Keybag) {
      let keybag = try DefaultKeychain.get().keybag
      return last.withLock { last in
        if let opened = last, opened.keybag === keybag { return (opened.files, keybag) }
        let files = ProtectedFiles(keybag)
        last = Opened(keybag: keybag, files: files)
        return (files, keybag)
      }
    }
  }
#endif
