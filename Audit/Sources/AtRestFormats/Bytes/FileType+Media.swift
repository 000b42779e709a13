extension FileType {
  /// Detects images, audio, video and fonts.
  static func media(_ head: [UInt8]) -> FileType? {
    if head.has("KTX 1", at: 1) || head.has("KTX 2", at: 1) {
      if head[0] == 0xAB { return .ktx }
    }
    if head.has("AAPL\r\n\u{1A}\n", at: 0) { return .ktx }
    if head.has("PNG\r\n\u{1A}\n", at: 1), head[0] == 0x89 { return .png }
    if head.bigEndian(at: 0, size: 3) == 0xFFD8FF { return .jpeg }
    if head.has("RIFF", at: 0) {
      if head.has("WEBP", at: 8) { return .webp }
      if head.has("WAVE", at: 8) { return .audio }
      if head.has("AVI ", at: 8) { return .video }
    }
    if head.has("GIF87a", at: 0) || head.has("GIF89a", at: 0) { return .otherImage }
    if head.has("II*\0", at: 0) || head.has("MM\0*", at: 0) { return .otherImage }
    // The header that follows has one of a few sizes.
    if head.has("BM", at: 0), let size = head.littleEndian(at: 14, size: 4),
      [12, 40, 52, 56, 108, 124].contains(size)
    {
      return .otherImage
    }
    if head.has("%PDF-", at: 0) { return .pdf }
    return film(head) ?? sound(head) ?? font(head)
  }

  private static func film(_ head: [UInt8]) -> FileType? {
    if head.has("ftyp", at: 4) {
      for brand: StaticString in ["heic", "heix", "heim", "hevc", "mif1", "msf1", "avif"]
      where head.has(brand, at: 8) {
        return .heic
      }
      return head.has("M4A", at: 8) || head.has("M4B", at: 8) ? .audio : .video
    }
    if head.has("moov", at: 4) || head.has("mdat", at: 4) || head.has("wide", at: 4) {
      return .video
    }
    return head.bigEndian(at: 0, size: 4) == 0x1A45_DFA3 ? .video : nil
  }

  private static func sound(_ head: [UInt8]) -> FileType? {
    for magic: StaticString in ["ID3", "caff", "fLaC", "OggS", "#!AMR"] where head.has(magic, at: 0)
    {
      return .audio
    }
    if head.has("FORM", at: 0), head.has("AIF", at: 8) { return .audio }
    // MPEG audio and ADTS: eleven set bits, and no reserved rate. Layer I is excluded: it is not
    // used in practice, and looks like a UTF-16 byte order mark.
    if let word = head.bigEndian(at: 0, size: 4), word >> 21 == 0x7FF {
      if word >> 17 & 0b1011 == 0b1000 { return (word >> 10 & 0xF) < 13 ? .audio : nil }
      if (1...2).contains(word >> 17 & 3), word >> 12 & 0xF != 0xF, word >> 12 & 0xF != 0,
        word >> 10 & 3 != 3,
        word >> 19 & 3 != 1
      {
        return .audio
      }
    }
    return nil
  }

  private static func font(_ head: [UInt8]) -> FileType? {
    for magic: StaticString in ["OTTO", "ttcf", "wOFF", "wOF2"] where head.has(magic, at: 0) {
      return .font
    }
    // TrueType's version 1.0 is too common a value to be enough: require few tables, the first with
    // a name.
    guard head.bigEndian(at: 0, size: 4) == 0x0001_0000 || head.has("true", at: 0),
      let tables = head.bigEndian(at: 4, size: 2), (1...64).contains(tables), head.count >= 16,
      head[12..<16].allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return nil }
    return .font
  }
}
