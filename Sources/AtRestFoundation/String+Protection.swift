#if !canImport(Darwin)
  import AtRestFiles

  extension String {
    /// Reads text from a file. A protected file is decrypted.
    ///
    /// - Throws: The errors of `Data(contentsOf:)`, and Foundation's error if the bytes are not text in
    ///   this encoding.
    public init(contentsOf url: __shared URL, encoding enc: String.Encoding) throws {
      let url = copy url
      self = try Self.protected(ProtectedPlace(url), enc) ?? PlainFile.text(url, enc)
    }

    /// Reads text from a file. A protected file is decrypted.
    ///
    /// - Throws: The errors of `String(contentsOf:encoding:)`.
    public init(contentsOfFile path: __shared String, encoding enc: String.Encoding) throws {
      try self.init(contentsOf: ProtectedPlace(path).url, encoding: enc)
    }

    /// Reads text from a file, and returns its encoding. A protected file is decrypted.
    ///
    /// The byte order mark determines the encoding of a protected file. Without a mark, the
    /// encoding is UTF-8.
    ///
    /// - Throws: The errors of `String(contentsOf:encoding:)`.
    public init(
      contentsOf url: __shared URL, usedEncoding: inout String.Encoding
    ) throws {
      let url = copy url
      guard let data = try ProtectedPlace(url).protectedContents() else {
        self = try PlainFile.text(url, used: &usedEncoding)
        return
      }
      let encoding = Self.encoding(of: data)
      self = try Self.text(data, encoding, url)
      usedEncoding = encoding
    }

    /// Reads text from a file, and returns its encoding. A protected file is decrypted.
    ///
    /// - Throws: The errors of `String(contentsOf:usedEncoding:)`.
    public init(
      contentsOfFile path: __shared String, usedEncoding: inout String.Encoding
    ) throws {
      try self.init(contentsOf: ProtectedPlace(path).url, usedEncoding: &usedEncoding)
    }

    /// Reads text from a file. A protected file is decrypted.
    ///
    /// - Throws: The errors of `String(contentsOf:usedEncoding:)`.
    public init(contentsOf url: __shared URL) throws {
      let url = copy url
      guard let data = try ProtectedPlace(url).protectedContents() else {
        self = try PlainFile.text(url)
        return
      }
      self = try Self.text(data, Self.encoding(of: data), url)
    }

    /// Reads text from a file. A protected file is decrypted.
    ///
    /// - Throws: The errors of `String(contentsOf:usedEncoding:)`.
    public init(contentsOfFile path: __shared String) throws {
      try self.init(contentsOf: ProtectedPlace(path).url)
    }

    private static func protected(
      _ place: ProtectedPlace, _ encoding: String.Encoding
    ) throws -> String? {
      try place.protectedContents().map { try text($0, encoding, place.url) }
    }

    private static func text(
      _ data: Data, _ encoding: String.Encoding, _ url: URL
    ) throws -> String {
      guard let text = String(data: data, encoding: encoding) else {
        throw CocoaError(
          .fileReadInapplicableStringEncoding,
          userInfo: [NSStringEncodingErrorKey: encoding.rawValue, NSFilePathErrorKey: url.path])
      }
      return text
    }

    private static func encoding(of data: Data) -> String.Encoding {
      let marks: [([UInt8], String.Encoding)] = [
        // Marks of four bytes come first, because one of them begins like a mark of two bytes.
        ([0xFF, 0xFE, 0, 0], .utf32), ([0, 0, 0xFE, 0xFF], .utf32),
        ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16),
      ]
      return marks.first { data.starts(with: $0.0) }?.1 ?? .utf8
    }
  }

  extension StringProtocol {
    /// Writes text to a file. An existing protected file stays in its class.
    ///
    /// - Throws: The errors of `Data.write(to:options:)`, and Foundation's error if the encoding lacks
    ///   a character of the text.
    public func write(
      to url: URL, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding
    ) throws {
      let place = ProtectedPlace(url)
      guard place.isProtected, let data = data(using: enc), try place.write(data, []) else {
        return try PlainFile.write(self, to: url, atomically: useAuxiliaryFile, enc)
      }
    }

    /// Writes text to a file. An existing protected file stays in its class.
    ///
    /// - Throws: The errors of `write(to:atomically:encoding:)`.
    public func write<T: StringProtocol>(
      toFile path: T, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding
    ) throws {
      try write(
        to: ProtectedPlace(String(path)).url, atomically: useAuxiliaryFile, encoding: enc)
    }
  }
#endif
