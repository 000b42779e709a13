/// A condition of `#if`, as written: `os(Linux) || canImport(Glibc)`.
package enum BuildCondition {
  /// Returns a condition that holds if both conditions hold.
  package static func both(_ first: String, _ second: String) -> String {
    [first, second].map { $0.contains("||") ? "(\($0))" : $0 }.joined(separator: " && ")
  }

  /// Returns true if the condition names Linux or a module that only Linux has.
  package static func namesLinux(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "(")) else { return false }
    return ["os(Linux)", "(Glibc)", "(Musl)", "(FoundationNetworking)", "(FoundationXML)"].contains
    {
      text.contains($0)
    }
  }

  /// Returns true if code under the condition is compiled on Linux, or nil if that depends on more
  /// than the system.
  package static func holdsOnLinux(_ text: String) -> Bool? {
    var parser = Parser(Array(text.utf8))
    return parser.alternatives(depth: 0)
  }

  /// Modules that are typical of Linux.
  package static let linuxModules: Set<String> = [
    "Glibc", "Musl", "FoundationNetworking", "FoundationXML", "FoundationEssentials", "Vapor",
    "Hummingbird", "NIO", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOSSL", "NIOFoundationCompat",
    "AsyncHTTPClient", "Kitura", "Fluent", "SwiftGlibc", "AtRest", "AtRestFiles",
    "AtRestFoundation", "AtRestKeychain",
  ]

  /// Modules that only Apple's systems have.
  package static let appleModules: Set<String> = [
    "AVFoundation", "AVKit", "Accelerate", "AppIntents", "AppKit", "AuthenticationServices",
    "BackgroundTasks", "CallKit", "CloudKit", "Combine", "CommonCrypto", "Contacts",
    "CoreBluetooth",
    "CoreData", "CoreGraphics", "CoreImage", "CoreLocation", "CoreMotion", "CoreServices",
    "CoreSpotlight", "CoreText", "CryptoKit", "Darwin", "EventKit", "HealthKit", "Intents",
    "LocalAuthentication", "MapKit", "MessageUI", "Metal", "MobileCoreServices", "Network", "OSLog",
    "ObjectiveC", "PassKit", "Photos", "PhotosUI", "QuartzCore", "QuickLook", "SafariServices",
    "Security", "StoreKit", "SwiftData", "SwiftUI", "SystemConfiguration", "UIKit",
    "UniformTypeIdentifiers", "UserNotifications", "Vision", "WatchConnectivity", "WatchKit",
    "WebKit",
    "WidgetKit", "os",
  ]

  /// Parses `!`, `&&`, `||`, parentheses and conditions such as `os(Linux)`.
  private struct Parser {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func alternatives(depth: Int) -> Bool? {
      var result = all(depth: depth)
      while accept("||") {
        let next = all(depth: depth)
        result = result == true || next == true ? true : result == false ? next : nil
      }
      return result
    }

    private mutating func all(depth: Int) -> Bool? {
      var result = one(depth: depth)
      while accept("&&") {
        let next = one(depth: depth)
        result = result == false || next == false ? false : result == true ? next : nil
      }
      return result
    }

    private mutating func one(depth: Int) -> Bool? {
      guard depth < 50 else {
        offset = bytes.count
        return nil
      }
      if accept("!") { return one(depth: depth + 1).map { !$0 } }
      if accept("(") {
        let result = alternatives(depth: depth + 1)
        _ = accept(")")
        return result
      }
      let name = word()
      guard accept("(") else {
        if name.isEmpty { offset = bytes.count }
        return name == "true" ? true : name == "false" ? false : nil
      }
      let subject = word()
      // `swift(>=6.0)`, `canImport(Network, _version: 1)`
      while offset < bytes.count, bytes[offset] != UInt8(ascii: ")") { offset += 1 }
      _ = accept(")")
      switch name {
      case "os": return subject == "Linux"
      case "canImport":
        if appleModules.contains(subject) { return false }
        return linuxModules.contains(subject) || subject == "Foundation" ? true : nil
      case "targetEnvironment": return false
      default: return nil
      }
    }

    private mutating func skipBlanks() {
      while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func accept(_ sign: StaticString) -> Bool {
      skipBlanks()
      let length = sign.utf8CodeUnitCount
      guard offset + length <= bytes.count else { return false }
      for index in 0..<length where bytes[offset + index] != sign.utf8Start[index] { return false }
      offset += length
      return true
    }

    private mutating func word() -> String {
      skipBlanks()
      let start = offset
      while offset < bytes.count {
        switch bytes[offset] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."):
          offset += 1
        default: return String(decoding: bytes[start..<offset], as: UTF8.self)
        }
      }
      return String(decoding: bytes[start...], as: UTF8.self)
    }
  }
}
