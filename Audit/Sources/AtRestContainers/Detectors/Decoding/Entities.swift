/// The named character references of HTML: the five of XML, and those of U+00A0 to U+00FF.
enum Entities {
  static let names: [Unicode.Scalar: String] = {
    let latin = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
      sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
      Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
      ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
      szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute \
      icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml \
      yacute thorn yuml
      """
    var names: [Unicode.Scalar: String] = [
      "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos",
    ]
    for (index, name) in latin.split(separator: " ").enumerated() {
      if let scalar = Unicode.Scalar(0xA0 + UInt32(index)) { names[scalar] = String(name) }
    }
    return names
  }()

  static let scalars: [String: Unicode.Scalar] = Dictionary(
    names.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
}
