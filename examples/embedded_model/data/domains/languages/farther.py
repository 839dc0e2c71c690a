"""Polish, Czech, Turkish and Indonesian. Names stay as they are: a word beside them is inflected in their stead."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_nouns, read_phrases

POLISH = Language(
    openings=("", "", "Cześć, ", "Dzień dobry, ", "Hej, ", "Mam pytanie: "),
    endings=("", "", ".", "!", ". Dziękuję!", ". Z góry dzięki"),
    refusals=("Nie mam do tego narzędzia.", "Żadne z moich narzędzi tego nie potrafi."),
    conjunction="i",
    nouns=read_nouns(
        "mleko, chleb, ser, jabłka, jajka, oliwa z oliwek, rower, dentysta, zebranie rodziców, historia Rzymu, "
        "samochody elektryczne, lekcja pianina, ślub Kasi, parasol, słuchawki, obiad z szefem, czarne spodnie, "
        "energia słoneczna"
    ),
    phrases=read_phrases("""
get_weather: jaka jest pogoda w mieście {city}? / pogoda dla miasta {city} / {city}: czy tam pada?
  powiedz mi, jaka pogoda jest w mieście {city}
get_current_weather: jaka jest teraz temperatura w miejscowości {location}? / {location}, jaka jest teraz pogoda?
get_time: która jest godzina w mieście {city}? / {city}: która tam jest godzina? / podaj czas lokalny dla miasta {city}
book_flight: zarezerwuj lot z miasta {origin} do miasta {destination} na {date}
  potrzebuję lotu {origin} – {destination}, data {date}
set_timer: ustaw minutnik, {minutes} min / minutnik: {minutes} min, proszę
  czas gotowania to {minutes} min, ustaw minutnik
set_alarm: ustaw budzik na {time} / obudź mnie o {time} / muszę wstać o {time} / czy możesz nastawić budzik na {time}?
create_event: dodaj {title} do kalendarza na {date} / nowe wydarzenie {date}: {title}
  {date} mam {title}, zapisz to w kalendarzu
convert_currency: przelicz {amount} {from} na {to} / ile to jest {amount} {from} w {to}?
  chcę wymienić {amount} {from} na {to}
web_search: wyszukaj w internecie: {query} / poszukaj {query} w sieci / szukam informacji na temat {query}
get_stock_price: ile kosztuje akcja {symbol}? / podaj kurs akcji {symbol} / {symbol}, jaki jest kurs?
book_table: zarezerwuj stolik w restauracji {restaurant} na godzinę {time}, liczba osób: {people}
  stolik na {time} w {restaurant}, osób: {people}
get_directions: jak dojechać z miasta {start} do miasta {end}? / trasa {start} – {end}
  pokaż drogę z miasta {start} do miasta {end}
turn_on_light: włącz światło, pokój {room} / {room}: włącz światło / czy możesz zapalić światło w pokoju {room}?
turn_off_light: wyłącz światło, pokój {room} / {room}: zgaś światło / czy możesz zgasić światło w pokoju {room}?
add_to_list: dodaj {items} do listy {list} / wpisz {items} na listę {list} / na liście {list} brakuje: {items}
track_order: gdzie jest moje zamówienie {order_id}? / status zamówienia {order_id}
delete_file: usuń {path} / plik {path} można usunąć
define_word: co znaczy {word}? / podaj znaczenie słowa {word}
"""),
)

CZECH = Language(
    openings=("", "", "Ahoj, ", "Dobrý den, ", "Prosím: ", "Mám dotaz: "),
    endings=("", "", ".", "!", ". Díky!", ". Děkuji"),
    refusals=("Na to nemám žádný nástroj.", "Žádný z mých nástrojů to neumí."),
    conjunction="a",
    nouns=read_nouns(
        "mléko, chléb, sýr, jablka, vejce, olivový olej, kolo, zubař, třídní schůzky, dějiny Říma, elektromobily, "
        "hodina klavíru, svatba v Brně, deštník, sluchátka, oběd s šéfem, černé kalhoty, sluneční energie"
    ),
    phrases=read_phrases("""
get_weather: jaké je počasí ve městě {city}? / počasí pro město {city} / {city}: prší tam?
  chci vědět, jak je ve městě {city}
get_current_weather: jaká je teď teplota v místě {location}? / {location}, jaké je tam právě počasí?
get_time: kolik je hodin ve městě {city}? / {city}: kolik je tam hodin? / řekni mi, kolik je hodin ve městě {city}
book_flight: rezervuj let z města {origin} do města {destination} na {date}
  potřebuji let {origin} – {destination}, datum {date}
set_timer: nastav časovač na {minutes} min / časovač: {minutes} min, prosím / upozorni mě za {minutes} min
set_alarm: nastav budík na {time} / vzbuď mě v {time} / musím vstávat v {time} / můžeš nastavit budík na {time}?
create_event: přidej {title} do kalendáře na {date} / nová událost {date}: {title}
  {date} mám {title}, zapiš to do kalendáře
convert_currency: převeď {amount} {from} na {to} / kolik je {amount} {from} v {to}?
  chci vyměnit {amount} {from} za {to}
web_search: vyhledej na internetu {query} / najdi informace na téma {query} / co je na webu na téma {query}?
get_stock_price: kolik stojí akcie {symbol}? / jaký je kurz akcie {symbol}? / {symbol}, jaká je cena?
book_table: rezervuj stůl v restauraci {restaurant} na {time}, počet osob: {people}
  stůl na {time} v restauraci {restaurant}, osob: {people}
get_directions: jak se dostanu z města {start} do města {end}? / trasa {start} – {end}
  ukaž mi cestu z města {start} do města {end}
turn_on_light: rozsviť světlo, místnost {room} / {room}: rozsviť světlo / můžeš rozsvítit v místnosti {room}?
turn_off_light: zhasni světlo, místnost {room} / {room}: zhasni / můžeš zhasnout v místnosti {room}?
add_to_list: přidej {items} na seznam {list} / napiš {items} na seznam {list} / na seznamu {list} chybí: {items}
cancel_order: zruš objednávku {order_id} / chci zrušit objednávku {order_id}
play_music: pusť {song} / chci slyšet skladbu {song}
"""),
)

TURKISH = Language(
    openings=("", "", "Merhaba, ", "Selam, ", "Günaydın, ", "Bir sorum var: ", "Lütfen: "),
    endings=("", "", ".", "!", ". Teşekkürler!", ". Sağ ol"),
    refusals=("Bunun için bir aracım yok.", "Araçlarımın hiçbiri bunu yapamıyor."),
    conjunction="ve",
    nouns=read_nouns(
        "süt, ekmek, peynir, elma, yumurta, zeytinyağı, portakal suyu, bisiklet, dişçi randevusu, veli toplantısı, "
        "Roma tarihi, elektrikli arabalar, piyano dersi, Ayşe'nin düğünü, şemsiye, kulaklık, patronla yemek, siyah "
        "pantolon, güneş enerjisi"
    ),
    phrases=read_phrases("""
get_weather: {city} şehrinde hava nasıl? / {city} için hava durumunu söyle / {city} şehrinde yağmur yağıyor mu?
get_current_weather: {location} şu anda kaç derece? / şu an {location} için hava nasıl? / {location} hava durumu lütfen
get_time: {city} şehrinde saat kaç? / bana {city} şehrinde saatin kaç olduğunu söyle / saat kaç {city} şehrinde?
book_flight: {origin} şehrinden {destination} şehrine {date} tarihi için uçak bileti al
  {date} günü {origin} – {destination} uçuşu istiyorum
set_timer: {minutes} dakikalık zamanlayıcı kur / zamanlayıcıyı {minutes} dakikaya ayarla
  {minutes} dakika sonra haber ver
set_alarm: saat {time} için alarm kur / beni saat {time} gibi uyandır / {time} için alarm kurabilir misin?
create_event: {date} tarihine {title} etkinliğini ekle / takvime {date} için {title} yaz
  yeni etkinlik, {date}: {title}
convert_currency: {amount} {from} kaç {to} eder? / {amount} {from} tutarını {to} birimine çevir
web_search: bana internette {query} ara / {query} hakkında bilgi bul / {query} hakkında internette ne var?
get_stock_price: {symbol} hissesi ne kadar? / {symbol} hissesinin fiyatını söyle / bugün {symbol} kaç para?
book_table: {restaurant} restoranında saat {time} için {people} kişilik masa ayırt
  saat {time}, {people} kişi, {restaurant} restoranında masa lütfen
get_directions: {start} şehrinden {end} şehrine nasıl giderim? / {start} – {end} yolunu göster
turn_on_light: {room} ışığını aç / {room} odasında ışığı açar mısın? / ışığı aç: {room}
turn_off_light: {room} ışığını kapat / {room} odasında ışığı kapatır mısın?
add_to_list: {list} listesine {items} ekle / {items}, bunları {list} listesine yaz
track_order: {order_id} numaralı siparişim nerede? / {order_id} siparişinin durumu ne?
delete_file: {path} dosyasını sil / şu dosyayı sil: {path}
define_word: {word} ne demek? / {word} kelimesinin anlamını söyle
"""),
)

INDONESIAN = Language(
    openings=("", "", "Halo, ", "Selamat pagi, ", "Hai, ", "Saya mau tanya: ", "Tolong, "),
    endings=("", "", ".", "!", ". Terima kasih!", ". Makasih"),
    refusals=("Saya tidak punya alat untuk itu.", "Tidak ada alat saya yang bisa melakukan itu."),
    conjunction="dan",
    nouns=read_nouns(
        "susu, roti, keju, apel, telur, minyak zaitun, jus jeruk, sepeda, dokter gigi, rapat orang tua, sejarah "
        "Roma, mobil listrik, les piano, pernikahan Dewi, payung, makan siang dengan bos, celana hitam, tenaga "
        "surya"
    ),
    phrases=read_phrases("""
get_weather: bagaimana cuaca di {city}? / cuaca di {city} seperti apa? / {city}: apakah di sana hujan?
  saya ingin tahu cuaca di {city}
get_current_weather: bagaimana cuaca di {location} sekarang? / berapa suhu di {location} saat ini?
get_time: jam berapa sekarang di {city}? / beri tahu saya jam berapa di {city} / waktu setempat di {city}
book_flight: pesan penerbangan dari {origin} ke {destination} pada {date}
  tanggal {date} saya mau terbang dari {origin} ke {destination}
set_timer: pasang pengatur waktu {minutes} menit / ingatkan saya {minutes} menit lagi / {minutes} menit, mulai hitung
set_alarm: pasang alarm jam {time} / bangunkan saya jam {time} / saya harus bangun pukul {time}
create_event: tambahkan {title} ke kalender pada {date} / acara baru tanggal {date}: {title}
  bisakah kamu mencatat {title} di kalender untuk {date}?
convert_currency: ubah {amount} {from} ke {to} / berapa {amount} {from} dalam {to}?
  saya mau menukar {amount} {from} dengan {to}
web_search: cari {query} di internet / cari informasi tentang {query} / apa yang ada di internet tentang {query}?
get_stock_price: berapa harga saham {symbol}? / beri tahu saya harga {symbol} / saham {symbol} sekarang berapa?
book_table: pesan meja untuk {people} orang di {restaurant} jam {time}
  jam {time} di {restaurant}, meja untuk {people} orang
get_directions: bagaimana cara pergi dari {start} ke {end}? / saya di {start} dan harus ke {end}
  tunjukkan jalan dari {start} ke {end}
turn_on_light: nyalakan lampu di {room} / bisa nyalakan lampu di {room}? / {room}: nyalakan lampunya
turn_off_light: matikan lampu di {room} / bisa matikan lampu di {room}?
add_to_list: tambahkan {items} ke daftar {list} / masukkan {items} ke daftar {list}
  di daftar {list} masih kurang {items}
cancel_order: batalkan pesanan {order_id} / saya ingin membatalkan pesanan {order_id}
transfer_money: kirim {amount} ke {to} / saya harus membayar {amount} kepada {to}
get_population: berapa jumlah penduduk {country}? / berapa orang tinggal di {country}?
read_file: baca {path} / apa isi {path}? / tampilkan isi berkas {path}
"""),
)
