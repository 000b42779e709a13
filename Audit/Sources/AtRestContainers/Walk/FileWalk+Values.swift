import AtRestFormats
@_spi(Tools) import AtRestSecrets
import Foundation

/// Values, and the formats inside them.
extension FileWalk {
  /// Visits a string, and its contents if it is JSON, XML, Base64 or a similar format.
  func value(_ text: String, _ place: Place) {
    give(.text(text), place)
    var text = text
    text.withUTF8 { openText($0, place) }
  }

  /// Visits a string in UTF-8.
  func value(utf8 bytes: ArraySlice<UInt8>, _ place: Place, wasSearched: Bool = false) {
    give(.text(String(decoding: bytes, as: UTF8.self)), place, wasSearched: wasSearched)
    bytes.withUnsafeBufferPointer { openText($0, place) }
  }

  private func openText(_ text: UnsafeBufferPointer<UInt8>, _ place: Place) {
    guard !isStopped, let form = TextForm(text, limit: decodeLimit), mayOpen(place) else { return }
    switch form {
    case .json:
      document(Array(text), .json, place.at(.encoding("json")).inside, isGuess: true)
    case .xml:
      document(Array(text), .xml, place.at(.encoding("xml")).inside, isGuess: true)
    case .xmlPropertyList:
      document(Array(text), .xmlPropertyList, place.at(.encoding("plist")).inside)
    case .percent:
      guard countDecoded(text.count, place) else { return }
      let bytes = TextEncoding.percent.decodedBytes(of: text) ?? Array(text)
      value(utf8: bytes[...], place.at(.encoding("percent")).inside)
    case .base64(let bytes):
      guard countDecoded(bytes.count, place) else { return }
      holding(bytes.count) { value(bytes[...], place.at(.encoding("base64")).inside) }
    }
  }

  /// Visits bytes that a format stores as data. They are visited as text if they are text, and
  /// known formats are opened.
  func value(_ bytes: ArraySlice<UInt8>, _ place: Place) {
    guard !isStopped else { return }
    let head = Array(bytes.prefix(FileType.headLength))
    let type = FileType.read(head, isWhole: head.count == bytes.count)
    switch type {
    case .text, .html:
      text(bytes, place)
    case .json, .xml, .xmlPropertyList:
      text(bytes, place, opens: false)
      guard mayOpen(place) else { return }
      let name = type == .xmlPropertyList ? "plist" : type.rawValue
      document(Array(bytes), type, place.at(.encoding(name)).inside, isGuess: true)
    case .unknown, .empty:
      if let text = TextForm.utf16(bytes) {
        return value(text, place.at(.encoding("utf-16")))
      }
      give(.bytes(Array(bytes)), place)
      if record(bytes, place) || headless(bytes, place) { return }
      message(bytes, place)
    default:
      giveRaw(Array(bytes), place)
      let hasTexts = type == .png || type == .jpeg || type == .ktx
      guard hasTexts || !type.isOpaqueMedia, mayOpen(place) else { return }
      let isPacked = [.gzip, .lz4, .appleLZ4, .lzfse, .bzip2, .xz, .lzma, .zstd].contains(type)
      // A compressed format adds its name itself, as it does for a file.
      let inner = isPacked ? place : place.at(.encoding(Self.name(of: type))).inside
      holding(bytes.count) { open(ByteSource(Array(bytes)), type, inner) }
    }
  }

  /// Visits bytes that are text, in UTF-8 or in UTF-16 or UTF-32 with a byte order mark.
  private func text(_ bytes: ArraySlice<UInt8>, _ place: Place, opens: Bool = true) {
    let isWide = bytes.first.map { $0 == 0 || $0 >= 0xFE } ?? false
    let bytes =
      isWide || bytes.starts(with: [0xEF, 0xBB, 0xBF])
      ? TextBytes.utf8(of: Data(bytes))[...] : bytes
    let place = isWide ? place.at(.encoding("utf-16")) : place
    if opens {
      value(utf8: bytes, place)
    } else {
      give(.text(String(decoding: bytes, as: UTF8.self)), place)
    }
  }

  /// The name of a format in locators.
  static func name(of type: FileType) -> String {
    switch type {
    case .binaryPropertyList, .xmlPropertyList: "plist"
    default: type.rawValue
    }
  }
}
