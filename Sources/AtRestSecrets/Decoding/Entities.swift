/// The named character references of HTML (WHATWG, *Named character references*).
public enum Entities {
  /// The names by which writers of HTML escape characters: the five of XML, and those of U+00A0 to U+00FF.
  public static let names: [Unicode.Scalar: String] = {
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

  /// Other names of characters of ASCII, and of currencies.
  private static let others: [String: Unicode.Scalar] = [
    "sol": "/", "bsol": "\\", "equals": "=", "plus": "+", "num": "#", "grave": "`", "excl": "!",
    "dollar": "$", "percnt": "%", "lpar": "(", "rpar": ")", "ast": "*", "comma": ",", "period": ".",
    "colon": ":", "semi": ";", "quest": "?", "commat": "@", "lsqb": "[", "rsqb": "]", "lbrack": "[",
    "rbrack": "]", "Hat": "^", "lowbar": "_", "lcub": "{", "rcub": "}", "verbar": "|", "vert": "|",
    "hyphen": "-", "tilde": "~", "euro": "€",
  ]

  /// The characters of all names.
  public static let scalars: [String: Unicode.Scalar] = Dictionary(
    names.map { ($1, $0) } + others.map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
}
