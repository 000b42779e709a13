#if !canImport(Darwin)
  @_spi(Tools) import AtRestCrypto
  import AtRestFiles
  import AtRestKeybag
  import AtRestKeychain
  import Synchronization

  /// The file that a Foundation call reads or writes, and its protection.
  struct ProtectedPlace {
    let url: URL

    init(_ url: URL) { self.url = url }
    init(_ path: String) { url = SystemPath.url(path) }

    /// True if the place holds a protected file.
    ///
    /// It is also false if the file cannot be examined. Foundation's own call then fails.
    var isProtected: Bool {
      // The type is checked before the file is opened, because opening a pipe affects its other end.
      url.isFileURL && FileStatus.at(url.path)?.isRegular == true
        && (try? ProtectedFiles.isProtected(url)) == true
    }

    /// Returns the contents of a protected file, or nil if the place does not hold one.
    func protectedContents() throws -> Data? {
      isProtected ? try Self.files().files.read(url) : nil
    }

    /// Returns the class for a write that names no class, or nil if the write replaces no protected
    /// file.
    ///
    /// The result is the class of the protected file that is replaced, because a file keeps its
    /// class on iOS.
    ///
    /// - Throws: ``AtRestError/Code/notPermitted`` if another store, a passphrase or recipients
    ///   protect that file; ``AtRestError/Code/damaged`` if the file cannot be opened, because
    ///   anyone could have chosen the class of such a file.
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
        // Opening authenticates the class: anyone who can write to the file can put a weaker class
        // into its header.
        try files.open(url, requiring: protection).close()
      } catch let error as AtRestError
        where protection == .completeUnlessOpen && [.locked, .notPermitted].contains(error.code)
      {
        // While the store is locked, or if the agent does not let this program read files, a file
        // of this class can be written but not read, so the class in the header cannot be checked.
        // It is no weaker than the class that the file may have had.
      }
      return protection
    }

    /// Writes the file if an option names a class or a class is inherited.
    ///
    /// - Returns: True if the file was written.
    func write(_ data: Data, _ options: Data.WritingOptions) throws -> Bool {
      var protection = try ProtectedFiles.protection(options)
      // With this option, the writer itself refuses to overwrite a file.
      if protection == nil, !options.contains(.withoutOverwriting) {
        protection = try inheritedProtection()
      }
      guard let protection else { return false }
      guard url.isFileURL else {
        throw AtRestError.invalid(
          "\(url) is not a file URL. Only files can be protected.", remedy: "Pass a file URL.")
      }
      let overwriting = options.intersection(.withoutOverwriting)
      try Self.files().files.write(data, to: url, options: overwriting, protection: protection)
      return true
    }

    /// Moves a file to a class: rewraps the key of a protected file, or encrypts a plain file.
    func setProtection(_ protection: FileProtection) throws {
      let files = try Self.files().files
      if let status = FileStatus.at(url.path), status.isFolder {
        throw Self.refusalOfFolder(url.path)
      }
      guard !isProtected else { return try files.setProtection(protection, of: url) }
      guard FileStatus.at(url.path)?.links ?? 1 == 1 else {
        throw AtRestError.invalid(
          "\(url.path) has several hard links, and would stay readable through the others.",
          remedy: "Delete the other links, or copy the file and protect the copy.")
      }
      try files.protect(.file(url), to: .file(url, replacing: true), protection: protection)
    }

    static func refusalOfFolder(_ path: String) -> AtRestError {
      .invalid(
        "The folder \(path) cannot have a protection class.",
        remedy: "Leave out .protectionKey, and set the class of each file in the folder.")
    }

    // MARK: The keys

    private struct Opened: Sendable {
      weak let keybag: Keybag?
      let files: ProtectedFiles
    }
    private static let last = Mutex<Opened?>(nil)

    /// Returns the protected files of the default keychain.
    ///
    /// The `ProtectedFiles` are cached, because each instance observes the lock state.
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
