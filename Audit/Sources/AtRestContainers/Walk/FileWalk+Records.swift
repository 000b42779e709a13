import AtRestFormats
import Foundation

/// Formats of records: cookies, keyboard words, Realm objects, programs, profiles.
extension FileWalk {
  func cookies(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let skipped = try BinaryCookies.read(source, path: "") { cookie in
      let record = "\(cookie.domain)\(cookie.path) \(cookie.name)"
      var here = place.at(.record(Locator.shortened(record)))
      here.name = cookie.name
      value(cookie.value, here)
      if let comment = cookie.comment { value(comment, here.at(.keyPath("comment"))) }
    }
    say(skipped, place)
  }

  func keyboard(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let skipped = try KeyboardLexicon.read(source, path: "") { word in
      give(.text(word.text), place.at(.offset(word.offset)))
    }
    say(skipped, place)
  }

  func realm(_ source: ByteSource, _ place: Place) throws(FormatError) {
    try RealmFile.read(source) { text in
      value(text.text, place.at(.offset(text.offset)))
    }
  }

  /// Visits the strings in a file whose structure is not read.
  func strings(_ source: ByteSource, _ place: Place) throws(FormatError) {
    try StringsScan(encodings: [.utf8]).read(source) { text in
      value(text.text, place.at(.offset(text.offset)))
    }
  }

  func unifiedLog(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let skipped = try UnifiedLog.read(source, limit: decodeLimit, path: "") {
      chunk throws(FormatError) in
      guard !isStopped, !chunk.isPacked || countDecoded(chunk.bytes.count, place) else { return }
      let here = place.at(.offset(chunk.offset))
      try strings(ByteSource(chunk.bytes), chunk.isPacked ? here.at(.encoding("lz4")) : here)
    }
    say(skipped, place)
  }

  func program(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let program = try MachO(source, path: "")
    say(program.skipped, place)
    for part in program.parts where isInTime(place) {
      let here = place.at(.record(part.architecture))
      let lists = [("entitlements", part.entitlements), ("Info.plist", part.infoPropertyList)]
      for (name, list) in lists {
        if let root = list?.root { node(root, path: "", here.at(.encoding(name))) }
      }
      if part.isEncrypted {
        problem(here, "The program's contents are encrypted by the App Store.")
      }
      for section in part.sections where section.holdsTexts {
        try MachO.texts(of: section, in: source) { text, offset in
          value(text, here.at(.offset(offset)))
        }
      }
    }
  }

  func profile(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let profile = try ProvisioningProfile(source, path: "")
    say(profile.propertyList.skipped, place)
    if let root = profile.propertyList.root { node(root, path: "", place) }
  }
}
