#if !canImport(Darwin)
  import AtRestFiles

  extension FileManager {
    /// Creates a file, in the protection class of the attribute `.protectionKey`.
    ///
    /// Without that attribute, the method behaves like Foundation's. If the file exists and is
    /// protected, however, it stays in its class. Other attributes are set as Foundation sets them.
    ///
    /// - Returns: False if the file could not be created or protected. An existing file is then
    ///   unchanged, unless only its other attributes could not be set. `Data.write(to:options:)`
    ///   throws an error with the reason.
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

    /// Returns the contents of a file. A protected file is decrypted.
    ///
    /// - Returns: The contents, or nil if the file cannot be read, for example because its class is
    ///   locked. `Data(contentsOf:)` throws an error with the reason.
    public func contents(atPath path: String) -> Data? {
      do {
        return try ProtectedPlace(path).protectedContents()
          ?? PlainFile.contents(atPath: path, self)
      } catch {
        return nil
      }
    }

    /// Returns Foundation's attributes of a file. For a protected file, `.size` is the size of its
    /// contents, and `.protectionKey` is its class if a store protects it.
    ///
    /// The method needs no key. For a symbolic link, it returns the attributes of the link, as
    /// Foundation does.
    ///
    /// - Throws: Foundation's errors, and for a protected file an `AtRestError`: `damaged` or `system`.
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
      var attributes = try PlainFile.attributes(atPath: path, self)
      let place = ProtectedPlace(path)
      guard attributes[.type] as? FileAttributeType == .typeRegular, place.isProtected else {
        return attributes
      }
      let description = try FileDescription(of: place.url)
      attributes[.size] = NSNumber(value: description.size)
      // atrest:ignore linux-no-op-protection this only reports the class; AtRest protected the file
      attributes[.protectionKey] = description.protection?.fileProtectionType
      return attributes
    }

    /// Sets attributes of a file. The attribute `.protectionKey` moves the file to a protection class.
    ///
    /// The key of a protected file is rewrapped. A plain file is replaced by a protected one, but
    /// its former contents may remain on the storage medium.
    ///
    /// - Throws: Foundation's errors. With `.protectionKey` also an `AtRestError`: `locked`,
    ///   `notPermitted` if other keys protect the file, `invalidArgument` for a folder or a file with
    ///   several hard links, `system`, and the errors of opening the store.
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

    /// Creates a folder. A folder cannot have a protection class, so `.protectionKey` is refused.
    ///
    /// - Throws: Foundation's errors, and an `AtRestError` with the code `invalidArgument` for
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

    /// Creates a folder. A folder cannot have a protection class, so `.protectionKey` is refused.
    ///
    /// - Throws: The errors of `createDirectory(at:withIntermediateDirectories:attributes:)`.
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
      // atrest:ignore-begin linux-no-op-protection, no-file-protection AtRest implements these options
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
