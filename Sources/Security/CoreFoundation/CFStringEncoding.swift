// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// An encoding of text: the value of ``CFStringBuiltInEncodings``.
public typealias CFStringEncoding = UInt32

/// The encodings of text.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
  /// The former encoding of macOS for western languages.
  case macRoman = 0
  /// Windows code page 1252.
  case windowsLatin1 = 0x0500
  /// ISO 8859-1.
  case isoLatin1 = 0x0201
  /// The encoding of NeXTSTEP.
  case nextStepLatin = 0x0B01
  /// 7-bit ASCII.
  case ASCII = 0x0600
  /// UTF-16, in external representations with a byte order mark.
  case unicode = 0x0100
  /// UTF-8.
  case UTF8 = 0x0800_0100
  /// 7-bit ASCII with escape sequences for all other characters.
  case nonLossyASCII = 0x0BFF
  /// UTF-16, most significant byte first.
  case UTF16BE = 0x1000_0100
  /// UTF-16, least significant byte first.
  case UTF16LE = 0x1400_0100
  /// UTF-32, in external representations with a byte order mark.
  case UTF32 = 0x0c00_0100
  /// UTF-32, most significant byte first.
  case UTF32BE = 0x1800_0100
  /// UTF-32, least significant byte first.
  case UTF32LE = 0x1c00_0100

  /// Another name of ``unicode``.
  public static let UTF16 = CFStringBuiltInEncodings.unicode

  var foundation: String.Encoding {
    switch self {
    case .macRoman: .macOSRoman
    case .windowsLatin1: .windowsCP1252
    case .isoLatin1: .isoLatin1
    case .nextStepLatin: .nextstep
    case .ASCII: .ascii
    case .unicode: .utf16
    case .UTF8: .utf8
    case .nonLossyASCII: .nonLossyASCII
    case .UTF16BE: .utf16BigEndian
    case .UTF16LE: .utf16LittleEndian
    case .UTF32: .utf32
    case .UTF32BE: .utf32BigEndian
    case .UTF32LE: .utf32LittleEndian
    }
  }

  /// The encoding for bytes in memory, which have the byte order of the processor and no mark.
  var inMemory: String.Encoding {
    let isLittleEndian = UInt16(1).littleEndian == 1
    return switch self {
    case .unicode: isLittleEndian ? .utf16LittleEndian : .utf16BigEndian
    case .UTF32: isLittleEndian ? .utf32LittleEndian : .utf32BigEndian
    default: foundation
    }
  }

  static let all: [CFStringBuiltInEncodings] = [
    .macRoman, .windowsLatin1, .isoLatin1, .nextStepLatin, .ASCII, .unicode, .UTF8, .nonLossyASCII,
    .UTF16BE, .UTF16LE, .UTF32, .UTF32BE, .UTF32LE,
  ]
}

/// The result of ``CFStringConvertNSStringEncodingToEncoding(_:)`` for an unknown encoding.
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xffff_ffff

/// Returns Foundation's number of an encoding, or 0 if the encoding is unknown.
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt {
  CFStringBuiltInEncodings(rawValue: encoding)?.foundation.rawValue ?? 0
}

/// Returns the encoding with one of Foundation's numbers, or ``kCFStringEncodingInvalidId``.
public func CFStringConvertNSStringEncodingToEncoding(_ encoding: UInt) -> CFStringEncoding {
  CFStringBuiltInEncodings.all.first { $0.foundation.rawValue == encoding }?.rawValue
    ?? kCFStringEncodingInvalidId
}
