import Foundation

/// Words that people choose: common passwords in the order in which they are tried, and common
/// words.
///
/// The tables hold some 2,000 well-known entries, which were collected by hand. ``PassphraseStrength`` judges other text as a
/// word if it reads like one.
enum PassphraseWords {
  /// An entry in lower case.
  struct Entry: Sendable {
    let bytes: [UInt8]
    /// log10 of the number of guesses that an attacker makes before trying the entry.
    let cost: Double
    let isPassword: Bool
    let isReversed: Bool
  }

  /// The entries by their first byte.
  static let byFirstByte: [[Entry]] = {
    var table = [[Entry]](repeating: [], count: 256)
    func add(_ word: Substring, cost: Double, isPassword: Bool) {
      let bytes = Array(word.utf8)
      table[Int(bytes[0])].append(
        Entry(bytes: bytes, cost: cost, isPassword: isPassword, isReversed: false))
      let reversed = Array(bytes.reversed())
      if reversed != bytes {
        // Reversing doubles the number of guesses.
        table[Int(reversed[0])].append(
          Entry(bytes: reversed, cost: cost + 0.301, isPassword: isPassword, isReversed: true))
      }
    }
    for (rank, word) in passwords.split(whereSeparator: \.isWhitespace).enumerated() {
      add(word, cost: log10(Double(rank + 2)), isPassword: true)
    }
    let count = passwords.split(whereSeparator: \.isWhitespace).count
    for (rank, word) in PassphraseNames.passwords.split(whereSeparator: \.isWhitespace).enumerated()
    {
      add(word, cost: log10(Double(count + rank)), isPassword: true)
    }
    for word in (words + " " + PassphraseNames.names).split(whereSeparator: \.isWhitespace) {
      add(word, cost: wordCost, isPassword: false)
    }
    return table
  }()

  /// log10 of 3,000, the number of words that attackers try for each word listed here.
  private static let wordCost = 3.477

  private static let passwords = """
    123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball
    abc123 football monkey letmein shadow master 666666 qwertyuiop 123321 mustang 1234567890
    michael 654321 superman 1qaz2wsx 7777777 121212 000000 qazwsx 123qwe killer trustno1 jordan
    jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew tigger sunshine iloveyou
    2000 charlie robert thomas hockey ranger daniel starwars klaster 112233 george computer
    michelle jessica pepper 1111 zxcvbn 555555 11111111 131313 freedom 777777 pass maggie 159753
    aaaaaa ginger princess joshua cheese amanda summer love ashley 6969 nicole chelsea matthew
    access yankees 987654321 dallas austin thunder taylor matrix minecraft william corvette
    hello martin heather secret merlin diamond 1234qwer hammer silver 222222 88888888 anthony
    justin test bailey q1w2e3r4t5 patrick internet scooter orange 11111 golfer cookie richard
    samantha bigdog guitar jackson whatever mickey chicken sparky snoopy maverick phoenix camaro
    peanut morgan welcome falcon cowboy ferrari samsung andrea smokey steelers joseph mercedes
    dakota arsenal eagles melissa boomer booboo spider nascar monster tigers yellow xxxxxx
    123123123 gateway marina diablo bulldog qwer1234 compaq purple hardcore banana junior hannah
    123654 porsche lakers iceman money cowboys 987654 london tennis 999999 coffee scooby 0000
    miller boston q1w2e3r4 brandon yamaha chester mother forever johnny edward 333333 oliver
    redsox player nikita knight fender barney midnight please brandy chicago badboy slayer rangers
    charles angel flower rabbit wizard jasper rachel steven winner adidas victoria natasha
    1q2w3e4r jasmine winter prince marine ghbdtn fishing casper raiders 232323 dolphins blowfish
    admin administrator root toor user guest default changeme passw0rd password1 password123
    letmein1 welcome1 qwerty123 qwertz azerty asdfghjkl asdf qwert 1q2w3e qazwsxedc zaq12wsx
    passwort motdepasse contraseña senha parola wachtwoord haslo salasana heslo пароль hallo
    hallo123 schatz bonjour soleil loulou doudou chouchou azertyuiop iloveyou1 princess1
    abcdef abcdefg abcd1234 a1b2c3 a1b2c3d4 1a2b3c 123abc 12341234 147258369 147258 789456
    789456123 159357 741852963 852456 101010 202020 696969 1212 2222 4444 5555 7777 123456a
    a123456 p@ssw0rd pa55word nopassword mypassword newpassword temppass temp1234 test123 testtest
    google facebook apple iphone android windows linux server oracle cisco router network system
    spring autumn monday friday sunday january december football1 baseball1 superman1 batman123
    pokemon naruto liverpool manchester barcelona realmadrid juventus chelsea1 arsenal1 rangers1
    celtic everton lovely lover loveme babygirl babyboy sweety honey sweetheart darling baby
    playboy gangster hiphop metallica slipknot nirvana blink182 eminem tupac 50cent
    trustme opensesame sesame swordfish hunter2 correcthorsebatterystaple
    """

  private static let words = """
    about above again age air all and animal another answer apple april arm army art ask august aunt
    back bad ball bank bath beach bear beautiful bed beer bell best bird birthday black blood blue
    boat body bone book born both bottle bottom box boy branch bread break bridge bright bring
    brother brown build burn butter button cake call camp candle car card carry castle cat chair
    champion change cheap child children chocolate christmas church circle city clean clear clock
    close cloud coat cold color colour come cool copper corn correct cotton country cousin cover
    cow crazy cream cross crown cup dance danger dark data daughter day dead dear death deep deer
    demon desert desk devil different dinner doctor dog dollar door double down dream dress drink
    drive drop duck dust eagle early earth east easy egg eight electric elephant empire empty
    energy engine english enjoy enter evening every eye face fair faith fall family farm fast father
    february feel field fight file finger fire first fish five flag floor fly food foot forest
    forget four fox free french fresh friend frog from front fruit full fun funny game garden gate
    ghost giant girl give glass gold good grand grass great green grey ground group grow hair half
    hand happy hard hat have head heart heaven heavy hell help here hero high hill hold hole holiday
    home honest hope horse hospital hot hotel hour house human hundred ice idea inside iron island
    job joke july jump june jungle just keep key kid kill kind king kiss kitchen kitten know ladder
    lady lake lamp land language large last late laugh law leaf learn leave left legend lemon
    letter life light lion list little live long look lord lost lucky lunch machine magic make man
    many map march mark market may meat metal middle milk million mind mine mirror moon more morning
    mountain mouse mouth move movie mud music nail name nature near neck need never new news next
    nice night nine ninja noise north nose nothing november now number ocean october office oil old
    one only open other paint pair panda paper parent park party pen people person phone photo
    piano picture pink pirate pizza place plane plant play pocket poem point police pony pool poor
    power pretty private proud public puppy push queen question quick quiet radio rain rainbow rat
    read red rest rice rich ride right ring river road robot rock roof room rose round run sad safe
    sail salt same sand school science sea security seed september seven shark sheep ship shirt
    shoe shop short sing sister six sky sleep slow small smile smoke snake snow soft soldier some
    son song soul soup south space speak special spider sport square star start station steel stone
    stop storm story strange street strong student sugar suit sun super sure sweet swim sword table
    tail take tall taste teacher team ten thank that the there thing think this three tiger time
    today together tomorrow tree trouble truck true trust turtle twelve twenty two uncle under
    up valley video village violet voice walk wall want war warm watch water way weather wednesday
    week west what wheel when where white wife wild wind window wine wing wire wolf woman wood word
    work world write wrong year yes you young your zebra zero zombie battery staple
    adam alex alexander alice amy anna barbara benjamin brian carlos carol chris christian christina
    claire david diana elena elizabeth emily emma eric eva frank gabriel hans helen henry isabella
    jack jacob james jane jason jean john jose juan julia karen katie kevin laura lisa louis lucas
    luis maria marie mark mary max mike mohamed muhammad nathan olivia paul peter rebecca ryan
    sarah sebastian simon sofia sophie stephanie stephen susan tom tony vanessa walter
    """
}
