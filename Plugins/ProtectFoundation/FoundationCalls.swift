/// The file that the plugin adds to a target: the calls of `AtRestFoundation`, as declarations of the target.
let calls = """
  #if !canImport(Darwin)
    // What Foundation lacks.
    @_exported import class AtRestFoundation.NSFileAccessIntent
    @_exported import class AtRestFoundation.NSFileCoordinator
    @_exported import protocol AtRestFoundation.NSFilePresenter
    @_exported import typealias AtRestFoundation.NSErrorPointer
    import AtRestFoundation

    extension Data {
      func write(to url: URL, options: Data.WritingOptions = []) throws {
        try self.AtRestFoundation::write(to: url, options: options)
      }

      init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
        try self.AtRestFoundation::init(contentsOf: url, options: options)
      }
    }

    extension NSData {
      func write(to url: URL, options: NSData.WritingOptions = []) throws {
        try self.AtRestFoundation::write(to: url, options: options)
      }

      func write(toFile path: String, options: NSData.WritingOptions = []) throws {
        try self.AtRestFoundation::write(toFile: path, options: options)
      }
    }

    extension String {
      init(contentsOf url: __shared URL, encoding: String.Encoding) throws {
        try self.AtRestFoundation::init(contentsOf: url, encoding: encoding)
      }

      init(contentsOfFile path: __shared String, encoding: String.Encoding) throws {
        try self.AtRestFoundation::init(contentsOfFile: path, encoding: encoding)
      }

      init(contentsOf url: __shared URL, usedEncoding: inout String.Encoding) throws {
        try self.AtRestFoundation::init(contentsOf: url, usedEncoding: &usedEncoding)
      }

      init(contentsOfFile path: __shared String, usedEncoding: inout String.Encoding) throws {
        try self.AtRestFoundation::init(contentsOfFile: path, usedEncoding: &usedEncoding)
      }

      init(contentsOf url: __shared URL) throws {
        try self.AtRestFoundation::init(contentsOf: url)
      }

      init(contentsOfFile path: __shared String) throws {
        try self.AtRestFoundation::init(contentsOfFile: path)
      }
    }

    extension StringProtocol {
      func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {
        try self.AtRestFoundation::write(to: url, atomically: atomically, encoding: encoding)
      }

      func write<T: StringProtocol>(
        toFile path: T, atomically: Bool, encoding: String.Encoding
      ) throws {
        try self.AtRestFoundation::write(
          toFile: path, atomically: atomically, encoding: encoding)
      }
    }

    extension FileManager {
      @discardableResult
      func createFile(
        atPath path: String, contents data: Data?, attributes: [FileAttributeKey: Any]? = nil
      ) -> Bool {
        self.AtRestFoundation::createFile(
          atPath: path, contents: data, attributes: attributes)
      }

      func contents(atPath path: String) -> Data? {
        self.AtRestFoundation::contents(atPath: path)
      }

      func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
        try self.AtRestFoundation::attributesOfItem(atPath: path)
      }

      func setAttributes(
        _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
      ) throws {
        try self.AtRestFoundation::setAttributes(attributes, ofItemAtPath: path)
      }

      func createDirectory(
        at url: URL, withIntermediateDirectories: Bool,
        attributes: [FileAttributeKey: Any]? = nil
      ) throws {
        try self.AtRestFoundation::createDirectory(
          at: url, withIntermediateDirectories: withIntermediateDirectories,
          attributes: attributes)
      }

      func createDirectory(
        atPath path: String, withIntermediateDirectories: Bool,
        attributes: [FileAttributeKey: Any]? = nil
      ) throws {
        try self.AtRestFoundation::createDirectory(
          atPath: path, withIntermediateDirectories: withIntermediateDirectories,
          attributes: attributes)
      }

      func containerURL(
        forSecurityApplicationGroupIdentifier group: String
      ) -> URL? {
        self.AtRestFoundation::containerURL(forSecurityApplicationGroupIdentifier: group)
      }
    }

    extension FileProtectionType? {
      static func == (one: Self, other: Self) -> Bool { one?.rawValue == other?.rawValue }
      static func != (one: Self, other: Self) -> Bool { one?.rawValue != other?.rawValue }
    }
  #endif

  """
