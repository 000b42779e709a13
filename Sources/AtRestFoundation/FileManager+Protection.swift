#if !canImport(Darwin)
  import AtRestFiles

  extension FileManager {
    /// Makes a file, in the protection class of the attribute `.protectionKey`.
    ///
    /// Without that attribute it does what Foundation does; only where the file is there and protected
    /// it stays in its class. Other attributes are set as Foundation does.
    ///
    /// - Returns: False where the file could not be made or protected; what was there stands then as it
    ///   was. `Data.write(to:options:)` says why.
    @discardableResult
    public func createFile(
      atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
    ) -> Bool {
      do {
        let place = ProtectedPlace(path)
        var others = attr ?? [:]
        let protection = try others.removeValue(forKey: .protectionKey).map {
          try FileProtection(attribute: $0)
        }
        guard try place.write(data ?? Data(), protection?.writingOption ?? []) else {
          return PlainFile.create(atPath: path, data, attr, self)
        }
        if !others.isEmpty { try PlainFile.set(others, atPath: path, self) }
        return true
      } catch {
        return false
      }
    }

    /// The contents of a file, of a protected one too; nil where it cannot be read, also since it is
    /// locked. `Data(contentsOf:)` says why.
    public func contents(atPath path: String) -> Data? {
      do {
        return try ProtectedPlace(path).protectedContents()
          ?? PlainFile.contents(atPath: path, self)
      } catch {
        return nil
      }
    }

    /// The attributes of a file: what Foundation has; of a protected file `.size` is that of its
    /// contents, and `.protectionKey` its class, where a store protects it.
    ///
    /// Needs no key. Of a symbolic link they are the link's, as Foundation has them.
    ///
    /// - Throws: What Foundation throws; of a protected file `AtRestError`: `damaged`, `system`.
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
      var attributes = try PlainFile.attributes(atPath: path, self)
      let place = ProtectedPlace(path)
      guard attributes[.type] as? FileAttributeType == .typeRegular, place.isProtected else {
        return attributes
      }
      let description = try FileDescription(of: place.url)
      attributes[.size] = NSNumber(value: description.size)
      // atrest:ignore linux-no-op-protection only tells it; AtRest has protected it
      attributes[.protectionKey] = description.protection?.fileProtectionType
      return attributes
    }

    /// Sets attributes; `.protectionKey` moves a file to a protection class.
    ///
    /// Of a protected file the key is wrapped anew. A plain file is protected where it is; what it said
    /// before may still be found on the medium.
    ///
    /// - Throws: What Foundation throws; with `.protectionKey` also `AtRestError`: `locked`,
    ///   `notPermitted` where other keys protect the file, `invalidArgument` for folders and files with
    ///   several hard links, `system`, and what opening the store throws.
    public func setAttributes(
      _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
    ) throws {
      var others = attributes
      guard let value = others.removeValue(forKey: .protectionKey) else {
        return try PlainFile.set(attributes, atPath: path, self)
      }
      try ProtectedPlace(path).setProtection(FileProtection(attribute: value))
      if !others.isEmpty { try PlainFile.set(others, atPath: path, self) }
    }

    /// Makes a folder. A folder has no protection class: one is refused.
    ///
    /// - Throws: What Foundation throws; `AtRestError` with the code `invalidArgument` for
    ///   `.protectionKey`.
    public func createDirectory(
      at url: URL, withIntermediateDirectories createIntermediates: Bool,
      attributes: [FileAttributeKey: Any]? = nil
    ) throws {
      guard attributes?[.protectionKey] == nil else {
        throw ProtectedPlace.refusalOfFolder(url.path)
      }
      try PlainFile.createFolder(at: url, intermediates: createIntermediates, attributes, self)
    }

    /// Makes a folder. A folder has no protection class: one is refused.
    ///
    /// - Throws: As `createDirectory(at:withIntermediateDirectories:attributes:)`.
    public func createDirectory(
      atPath path: String, withIntermediateDirectories createIntermediates: Bool,
      attributes: [FileAttributeKey: Any]? = nil
    ) throws {
      guard attributes?[.protectionKey] == nil else { throw ProtectedPlace.refusalOfFolder(path) }
      try PlainFile.createFolder(
        atPath: path, intermediates: createIntermediates, attributes, self)
    }
  }

  extension FileProtection {
    fileprivate var writingOption: Data.WritingOptions {
      // atrest:ignore-begin linux-no-op-protection, no-file-protection AtRest does what they say
      switch self {
      case .complete: .completeFileProtection
      case .completeUnlessOpen: .completeFileProtectionUnlessOpen
      case .completeUntilFirstAuthentication: .completeFileProtectionUntilFirstUserAuthentication
      case .none: .noFileProtection
      }
      // atrest:ignore-end linux-no-op-protection, no-file-protection
    }
  }
#endif
